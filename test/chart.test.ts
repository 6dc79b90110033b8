/** docker/chart: rendered as Helm does, and checked against the API of Kubernetes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../src/config/settings.ts';
import { type Manifest, readChart, renderChart } from './support/chart/render.ts';

const ROOT = new URL('../', import.meta.url);
const FOLDER = new URL('docker/chart/', ROOT);
const CHART = readChart(FOLDER);
const NEEDED = { secretName: 'ringkey', settings: { RINGKEY_SIP_DOMAIN: 'pay.example.com' } };
const ALL = {
  ...NEEDED,
  image: { repository: 'registry.example.com/ringkey', tag: 'v1', pullSecrets: [{ name: 'registry' }] },
  api: { nodeSelector: { pool: 'web' }, tolerations: [{ key: 'web', operator: 'Exists' }] },
  phone: { publicAddress: '203.0.113.5', drainSeconds: 600, nodeSelector: { pool: 'calls' } },
  media: { existingClaim: 'speech' },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'pay.example.com',
    tlsSecretName: 'pay',
    annotations: { a: 'b' },
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
};
const OWN_ENGINES = {
  ...NEEDED,
  drachtio: { enabled: false },
  freeswitch: { enabled: false },
  settings: { ...NEEDED.settings, DRACHTIO_HOST: 'sip.internal', FREESWITCH_HOSTS: 'a,b' },
};
const VARIANTS = { 'the least values': NEEDED, 'all options': ALL, 'engines of its own': OWN_ENGINES };

/** The types of kubernetes-types, by kind. */
const TYPES: Readonly<Record<string, string>> = {
  ConfigMap: "import('kubernetes-types/core/v1').ConfigMap",
  Service: "import('kubernetes-types/core/v1').Service",
  Deployment: "import('kubernetes-types/apps/v1').Deployment",
  StatefulSet: "import('kubernetes-types/apps/v1').StatefulSet",
  Job: "import('kubernetes-types/batch/v1').Job",
  Ingress: "import('kubernetes-types/networking/v1').Ingress",
  PodDisruptionBudget: "import('kubernetes-types/policy/v1').PodDisruptionBudget",
  ServiceMonitor: 'Monitor & { spec: { endpoints: Scrape[] } }',
  PodMonitor: 'Monitor & { spec: { podMetricsEndpoints: Scrape[] } }',
};
/** Of the Prometheus operator, as far as the chart uses it (monitoring.coreos.com/v1). */
const MONITORS = `
interface Scrape { port: string; path: string; interval: string; relabelings: { targetLabel: string; replacement: string }[] }
interface Monitor {
  apiVersion: 'monitoring.coreos.com/v1'; kind: string; metadata: import('kubernetes-types/meta/v1').ObjectMeta;
  spec: { selector: import('kubernetes-types/meta/v1').LabelSelector };
}`;

/** Has the compiler compare objects with the API's types, whose fields it knows. @returns its complaints */
function checkTypes(manifests: readonly Manifest[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'ringkey-chart-'));
  try {
    const constants = manifests.map((one, place) => {
      const type = TYPES[one.kind];
      if (type === undefined) throw new Error(`the check has no type for ${one.kind}`);
      return `export const manifest${place}: ${type} = ${JSON.stringify(one, null, 2)};`;
    });
    const types = join(ROOT.pathname, 'node_modules/kubernetes-types');
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: 'preserve',
      types: [],
      paths: { 'kubernetes-types/*': [`${types}/*`] },
    };
    writeFileSync(join(folder, 'manifests.ts'), [MONITORS, ...constants].join('\n'));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
    const tsc = join(ROOT.pathname, 'node_modules/.bin/tsc');
    const { stdout, stderr } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Container {
  name: string;
  env?: { name: string; value?: string }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string }[];
  readinessProbe?: { httpGet: { port: string } };
}
interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes?: { name: string }[];
  terminationGracePeriodSeconds?: number;
}
interface Workload extends Manifest {
  spec: {
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
}

const workloadsOf = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind)) as Workload[];
const podOf = (manifests: readonly Manifest[], name: string) => {
  const found = workloadsOf(manifests).find(({ metadata }) => metadata.name === name);
  if (found === undefined) throw new Error(`the chart has no ${name}`);
  return found.spec.template.spec;
};
const matches = (selector: Record<string, string>, labels: Record<string, string>) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

describe.each(Object.entries(VARIANTS))('the chart with %s', (_, values) => {
  const manifests = renderChart(CHART, values);

  test('renders objects that the API of Kubernetes accepts', () => {
    expect(checkTypes(manifests)).toBe('');
  });

  test('names each object once', () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('selects the pods of each workload, and no others', () => {
    const pods = workloadsOf(manifests).map(
      ({ metadata, spec }) => [metadata.name, spec.template.metadata.labels] as const,
    );
    const selecting = manifests.flatMap(({ kind, metadata, spec }) => {
      const { selector } = (spec ?? {}) as { selector?: Record<string, unknown> };
      if (selector === undefined || kind.endsWith('Monitor')) return [];
      const labels = (selector.matchLabels ?? selector) as Record<string, string>;
      return [[metadata.name, pods.filter(([, of]) => matches(labels, of)).map(([name]) => name)] as const];
    });
    expect(selecting.length).toBeGreaterThan(6);
    for (const [name, selected] of selecting) expect([name, selected]).toEqual([name, [name]]);
  });

  test('mounts only volumes that the pod has, and probes only ports that the container has', () => {
    for (const { metadata, spec } of workloadsOf(manifests)) {
      const { containers, initContainers = [], volumes = [] } = spec.template.spec;
      const known = volumes.map(({ name }) => name);
      for (const { volumeMounts = [], readinessProbe, ports = [] } of [...containers, ...initContainers]) {
        expect(
          volumeMounts.filter(({ name }) => !known.includes(name)),
          metadata.name,
        ).toEqual([]);
        const probed = readinessProbe === undefined ? [] : [readinessProbe.httpGet.port];
        expect(ports.map(({ name }) => name)).toEqual(expect.arrayContaining(probed));
      }
    }
  });

  test('sets only settings that exist, each once in a container', () => {
    for (const { spec } of workloadsOf(manifests)) {
      for (const { env = [] } of spec.template.spec.containers) {
        const names = env.map(({ name }) => name);
        expect(names.filter((name) => !SETTINGS.includes(name))).toEqual([]);
        expect(new Set(names).size).toBe(names.length);
      }
    }
  });
});

test('a phone pod is killed only after its drain, its last sentences and its charges', () => {
  const manifests = renderChart(CHART, { ...NEEDED, phone: { drainSeconds: 600 } });
  const { terminationGracePeriodSeconds, containers } = podOf(manifests, 'pay-phone');
  expect(containers[0]?.env).toContainEqual({ name: 'RINGKEY_DRAIN_SECONDS', value: '600' });
  // 20 s for the last sentence and 45 s for an answer of the processor (phone/index.ts), and time to stop.
  expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(600 + 20 + 45);
});

test('SIP server and media server are sidecars, which outlive the calls of the phone process', () => {
  const { initContainers = [] } = podOf(renderChart(CHART, NEEDED), 'pay-phone');
  expect(initContainers).toMatchObject([
    { name: 'drachtio', restartPolicy: 'Always' },
    { name: 'freeswitch', restartPolicy: 'Always' },
  ]);
  expect(podOf(renderChart(CHART, OWN_ENGINES), 'pay-phone').initContainers).toBeUndefined();
});

test('the configuration of the engines is the one in sip/', () => {
  const config = renderChart(CHART, NEEDED).find(({ kind }) => kind === 'ConfigMap');
  const written = (path: string) => readFileSync(new URL(path, ROOT), 'utf8').trimEnd();
  expect(config?.data).toEqual({
    'drachtio.conf.xml': expect.stringContaining(written('sip/drachtio/drachtio.conf.xml')),
    'freeswitch.xml': expect.stringContaining(written('sip/freeswitch/freeswitch.xml')),
  });
});

test('the chart installs the version of package.json, with the images of compose.yaml', () => {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string };
  const compose = readFileSync(new URL('docker/compose.yaml', ROOT), 'utf8');
  const { drachtio, freeswitch } = CHART.values as Record<'drachtio' | 'freeswitch', { image: string }>;
  expect(CHART.metadata.appVersion).toBe(version);
  for (const { image } of [drachtio, freeswitch]) expect(compose).toContain(`:-${image}}`);
});

test('the chart refuses to render without the Secret that has the database', () => {
  expect(() => renderChart(CHART, { settings: NEEDED.settings })).toThrow(/secretName must name the Secret/);
});

describe('values.schema.json', () => {
  const schema = JSON.parse(readFileSync(new URL('values.schema.json', FOLDER), 'utf8')) as object;
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  const check = (values: object) =>
    validate(values) ? null : (validate.errors ?? []).map(({ instancePath }) => instancePath);
  const defaults = parse(readFileSync(new URL('values.yaml', FOLDER), 'utf8')) as Record<string, object>;

  test('accepts the chart’s own values once the two that have no default are set', () => {
    expect(check(defaults)).toEqual(expect.arrayContaining(['/secretName', '/settings/RINGKEY_SIP_DOMAIN']));
    expect(check({ ...defaults, ...NEEDED })).toBeNull();
  });

  test('knows every value that the chart has', () => {
    const known = (schema as { properties: object }).properties;
    expect(Object.keys(known).sort()).toEqual([...Object.keys(defaults), 'global'].sort());
  });

  test.each([
    [{ phones: {} }, ''],
    [{ phone: { drainSeconds: '60' } }, '/phone/drainSeconds'],
    [{ phone: { drainSecond: 60 } }, '/phone'],
    [{ settings: { RINGKEY_SIP_DOMAIN: 'a', RINGKEY_ROLES: 'api' } }, '/settings/RINGKEY_ROLES'],
    [{ settings: { RINGKEY_SIP_DOMAIN: 'a', ringkey_demo: 'on' } }, '/settings'],
    [{ freeswitch: { srtp: 'required' } }, '/freeswitch/srtp'],
  ])('refuses %j', (values, place) => {
    expect(check({ ...defaults, ...NEEDED, ...values })).toContain(place);
  });
});

test.each([
  [{ spec: { replica: 2 } }, /replica/],
  [{ spec: { replicas: '2' } }, /replicas|string/],
])('the check against the API finds the fault in %j', (fault, complaint) => {
  const [deployment] = renderChart(CHART, NEEDED).filter(({ kind }) => kind === 'Deployment');
  if (deployment === undefined) throw new Error('the chart has no Deployment');
  const broken = { ...deployment, spec: { ...(deployment.spec as object), ...fault.spec } };
  expect(checkTypes([broken])).toMatch(complaint);
});
