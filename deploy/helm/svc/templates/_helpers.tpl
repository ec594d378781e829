{{/* The name of all objects: the release, with the chart unless it is in it already. */}}
{{- define "svc.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "svc.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "svc.name" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "svc.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "svc.labels" -}}
{{ include "svc.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* What cannot work is refused here, with what to set. */}}
{{- define "svc.check" -}}
{{- if eq .Values.store "sqlite" -}}
{{- if gt (int .Values.replicas) 1 -}}
{{- fail "replicas: more than one pod needs store: postgres, because SQLite is a file of one pod." -}}
{{- end -}}
{{- else -}}
{{- if not .Values.database.existingSecret -}}
{{- fail "database.existingSecret: store: postgres needs the Secret with the URL of the database." -}}
{{- end -}}
{{- if not .Values.secretKey.existingSecret -}}
{{- fail "secretKey.existingSecret: store: postgres needs the Secret with the key, because no pod keeps one." -}}
{{- end -}}
{{- if not .Values.files.url -}}
{{- fail "files.url: store: postgres needs a bucket for attachments, because no pod keeps files." -}}
{{- end -}}
{{- end -}}
{{- if and .Values.clusterJobs.enabled (not .Values.baseUrl) -}}
{{- fail "baseUrl: clusterJobs needs the address that the pods of agents reach the hub at." -}}
{{- end -}}
{{- end -}}

{{/* The pod of the server. */}}
{{- define "svc.pod" -}}
metadata:
  labels:
    {{- include "svc.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "svc.serviceAccount" . }}
  # The token is for cluster jobs alone.
  automountServiceAccountToken: {{ .Values.clusterJobs.enabled }}
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: svc
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      ports:
        - name: http
          containerPort: 8080
      env:
        # Not the volume itself: that belongs to root, and the server wants a directory that is open to nobody else.
        - name: SVC_DATA
          value: /data/hub
        - name: SVC_LISTEN
          value: 0.0.0.0:8080
        {{- with .Values.baseUrl }}
        - name: SVC_BASE_URL
          value: {{ . | quote }}
        {{- end }}
        {{- if eq .Values.store "postgres" }}
        - name: SVC_DATABASE_URL
          valueFrom:
            secretKeyRef:
              name: {{ .Values.database.existingSecret }}
              key: {{ .Values.database.key }}
        {{- end }}
        {{- if .Values.secretKey.existingSecret }}
        - name: SVC_SECRET_KEY
          valueFrom:
            secretKeyRef:
              name: {{ .Values.secretKey.existingSecret }}
              key: {{ .Values.secretKey.key }}
        {{- end }}
        {{- with .Values.files.url }}
        - name: SVC_BLOB_URL
          value: {{ . | quote }}
        {{- end }}
        {{- with .Values.files.endpoint }}
        - name: AWS_ENDPOINT
          value: {{ . | quote }}
        {{- end }}
        {{- with .Values.files.region }}
        - name: AWS_REGION
          value: {{ . | quote }}
        {{- end }}
        {{- range $name, $value := .Values.settings }}
        - name: {{ $name }}
          {{- /* A large number would be written with an exponent. */}}
          value: {{ ternary (int64 $value) $value (kindIs "float64" $value) | quote }}
        {{- end }}
        {{- with .Values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- if or .Values.files.existingSecret .Values.extraEnvFrom }}
      envFrom:
        {{- with .Values.files.existingSecret }}
        - secretRef:
            name: {{ . }}
        {{- end }}
        {{- with .Values.extraEnvFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- end }}
      # The first start of a version may change the tables of a large store.
      startupProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 300
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
      {{- with .Values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        {{- with .Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if eq .Values.store "postgres" }}
    # Nothing that has to stay: uploads on their way, thumbnails, directories of runs.
    - name: data
      emptyDir: {}
    {{- else if .Values.persistence.existingClaim }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ .Values.persistence.existingClaim }}
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml .Values.topologySpreadConstraints | nindent 4 }}
  {{- else if gt (int .Values.replicas) 1 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "svc.selector" . | nindent 10 }}
  {{- end }}
{{- end -}}
