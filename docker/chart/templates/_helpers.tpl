{{- define "ringkey.labels" -}}
app.kubernetes.io/name: ringkey
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "ringkey.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* Settings of all pods. */}}
{{- define "ringkey.environment" -}}
- name: RINGKEY_INSTANCE
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
- name: RINGKEY_ENGINE
  value: external
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "ringkey.secret" -}}
- secretRef:
    name: {{ required "secretName must name the Secret with DATABASE_URL and the other secret settings" .Values.secretName }}
{{- end -}}

{{/* Nothing is written but rendered sentences and temporary files. */}}
{{- define "ringkey.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 1000
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "ringkey.mounts" -}}
- { name: media, mountPath: /var/lib/ringkey/media }
- { name: tmp, mountPath: /tmp }
{{- end -}}

{{- define "ringkey.volumes" -}}
- name: media
{{- if .Values.media.existingClaim }}
  persistentVolumeClaim: { claimName: {{ .Values.media.existingClaim }} }
{{- else }}
  emptyDir: {}
{{- end }}
- name: tmp
  emptyDir: {}
{{- end -}}

{{/* A core dump would contain the digits that callers are entering. */}}
{{- define "ringkey.command" -}}
- sh
- -c
- ulimit -c 0 && exec node dist/main.js start
{{- end -}}

{{- define "ringkey.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 3
{{- end -}}

{{/* The node's own address, and the one that the world sees. */}}
{{- define "ringkey.addresses" -}}
- name: HOST_ADDRESS
  valueFrom: { fieldRef: { fieldPath: status.hostIP } }
- name: PUBLIC_ADDRESS
{{- if .Values.phone.publicAddress }}
  value: {{ .Values.phone.publicAddress | quote }}
{{- else }}
  valueFrom: { fieldRef: { fieldPath: status.hostIP } }
{{- end }}
{{- end -}}
