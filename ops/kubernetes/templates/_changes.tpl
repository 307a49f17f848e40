{{- /* Changes of manifests by values. The templates change the manifest in place and print nothing. */ -}}

{{- define "botstead.kustomization" -}}
{{ .Files.Get "kustomization.yaml" }}
{{- end -}}

{{- /* Whether a manifest is wanted. */ -}}
{{- define "botstead.applies" -}}
{{- $values := .root.Values -}}
{{- if eq .manifest.kind "Ingress" -}}{{ $values.ingress.enabled }}
{{- else if eq .manifest.kind "NetworkPolicy" -}}{{ $values.network.enabled }}
{{- else if eq .manifest.metadata.name "botstead-console" -}}{{ $values.console.enabled }}
{{- else -}}true
{{- end -}}
{{- end -}}

{{- define "botstead.change" -}}
{{- $change := printf "botstead.change.%s" .manifest.kind -}}
{{- if has .manifest.kind (list "ConfigMap" "Ingress" "HorizontalPodAutoscaler" "NetworkPolicy" "PodMonitor") -}}
{{- include $change . -}}
{{- else if has .manifest.kind (list "Deployment" "Job") -}}
{{- include "botstead.change.workload" . -}}
{{- end -}}
{{- end -}}

{{- define "botstead.settings" -}}
{{- $host := .Values.ingress.host -}}
{{- $given := dict -}}
{{- with $host }}{{ $_ := set $given "BASE_URL" (printf "https://%s" .) }}{{ end -}}
{{- toYaml (mergeOverwrite $given (deepCopy .Values.settings)) -}}
{{- end -}}

{{- define "botstead.change.ConfigMap" -}}
{{- $_ := mergeOverwrite .manifest.data (include "botstead.settings" .root | fromYaml) -}}
{{- end -}}

{{- /* A Job cannot be changed, so each revision has its own. Pods restart when the settings change. */ -}}
{{- define "botstead.change.workload" -}}
{{- $values := .root.Values -}}
{{- $spec := .manifest.spec -}}
{{- $pod := $spec.template.spec -}}
{{- $container := first $pod.containers -}}
{{- $own := index $values (index .manifest.metadata.labels "app.kubernetes.io/component") -}}
{{- $image := first (include "botstead.kustomization" .root | fromYaml).images -}}
{{- $name := $values.image.repository | default $image.newName -}}
{{- $_ := set $container "image" (printf "%s:%s" $name ($values.image.tag | default $image.newTag)) -}}
{{- $_ := mergeOverwrite $container.resources (deepCopy $own.resources) -}}
{{- with $own.replicas }}{{ $_ := set $spec "replicas" . }}{{ end -}}
{{- range $field := list "imagePullSecrets" "nodeSelector" "tolerations" -}}
{{- with index $values $field }}{{ $_ := set $pod $field . }}{{ end -}}
{{- end -}}
{{- $checksum := dict "checksum/settings" (include "botstead.settings" .root | sha256sum) -}}
{{- if eq .manifest.kind "Job" -}}
{{- $_ := set .manifest.metadata "name" (printf "%s-%d" .manifest.metadata.name .root.Release.Revision) -}}
{{- else -}}
{{- $_ := set $spec.template.metadata "annotations" $checksum -}}
{{- end -}}
{{- end -}}

{{- define "botstead.change.HorizontalPodAutoscaler" -}}
{{- with .root.Values.api.minReplicas }}{{ $_ := set $.manifest.spec "minReplicas" . }}{{ end -}}
{{- with .root.Values.api.maxReplicas }}{{ $_ := set $.manifest.spec "maxReplicas" . }}{{ end -}}
{{- end -}}

{{- define "botstead.change.Ingress" -}}
{{- $ingress := .root.Values.ingress -}}
{{- $spec := .manifest.spec -}}
{{- $tls := first $spec.tls -}}
{{- with $ingress.className }}{{ $_ := set $spec "ingressClassName" . }}{{ end -}}
{{- with $ingress.host -}}
{{- $_ := set (first $spec.rules) "host" . -}}
{{- $_ := set $tls "hosts" (list .) -}}
{{- end -}}
{{- with $ingress.tlsSecret }}{{ $_ := set $tls "secretName" . }}{{ end -}}
{{- $_ := mergeOverwrite .manifest.metadata.annotations (deepCopy $ingress.annotations) -}}
{{- end -}}

{{- define "botstead.change.NetworkPolicy" -}}
{{- $network := .root.Values.network -}}
{{- $spec := .manifest.spec -}}
{{- if eq .manifest.metadata.name "botstead-database" -}}
{{- $database := last $spec.egress -}}
{{- with $network.databaseCidr }}{{ $_ := set (first $database.to).ipBlock "cidr" . }}{{ end -}}
{{- with $network.databasePort }}{{ $_ := set (first $database.ports) "port" . }}{{ end -}}
{{- else if eq .manifest.metadata.name "botstead-api" -}}
{{- include "botstead.namespace" (dict "spec" $spec "name" $network.ingressNamespace) -}}
{{- else if eq .manifest.metadata.name "botstead-metrics" -}}
{{- include "botstead.namespace" (dict "spec" $spec "name" $network.monitoringNamespace) -}}
{{- end -}}
{{- end -}}

{{- define "botstead.namespace" -}}
{{- $from := first (first .spec.ingress).from -}}
{{- with .name }}{{ $_ := set $from.namespaceSelector.matchLabels "kubernetes.io/metadata.name" . }}{{ end -}}
{{- end -}}

{{- define "botstead.change.PodMonitor" -}}
{{- $_ := set .manifest.metadata "namespace" .root.Release.Namespace -}}
{{- end -}}
