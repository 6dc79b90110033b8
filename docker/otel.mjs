// Sends Ringkey's spans to an OpenTelemetry collector (OTLP over HTTP). It needs packages that Ringkey does not have.
// Install them in a folder of their own, and have Node load this file first:
//   mkdir /opt/otel && cp docker/otel.mjs /opt/otel/ && cd /opt/otel
//   npm install @opentelemetry/sdk-trace-node@2 @opentelemetry/resources@2 @opentelemetry/exporter-trace-otlp-http@0.223
//   NODE_OPTIONS="--import /opt/otel/otel.mjs" OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318 ringkey start
// OTEL_TRACES_SAMPLER=parentbased_traceidratio with OTEL_TRACES_SAMPLER_ARG=0.1 keeps every tenth trace.
// Add no instrumentation of HTTP: its spans would have the paths of pay links, and anyone who has a path can pay.
import { hostname } from 'node:os';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const { OTEL_SERVICE_NAME, RINGKEY_INSTANCE, RINGKEY_ROLES } = process.env;
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({
    'service.name': OTEL_SERVICE_NAME ?? 'ringkey',
    'service.instance.id': RINGKEY_INSTANCE || hostname(),
    'ringkey.roles': RINGKEY_ROLES || 'phone,api,worker',
  }),
  spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();

// Exports the last spans once Ringkey has stopped.
process.once('beforeExit', () => void provider.shutdown().catch(() => undefined));
