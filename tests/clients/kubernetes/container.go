package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/third_party/forked/golang/expansion"
)

// mountError says that a volume cannot be laid out (yet).
type mountError struct{ error }

// longestTerminationMessage is how much of the termination message Kubernetes keeps, and of the log in its place.
const (
	longestTerminationMessage = 4096
	longestFallbackMessage    = 2048
	longestFallbackLines      = 80
)

// root is the directory that stands for the container's file system.
func (w *worker) root() string { return filepath.Join(w.dir, "root") }

// prepare lays out the volumes and the environment. It gives nil when the container has nothing to run.
func (w *worker) prepare(ctx context.Context) (*exec.Cmd, error) {
	w.mu.Lock()
	gone := w.gone
	w.mu.Unlock()
	if gone {
		return nil, errEnding
	}
	if err := w.layOut(ctx); err != nil {
		return nil, mountError{err}
	}
	env, err := w.environment(ctx)
	if err != nil {
		return nil, err
	}
	argv := []string{"/bin/sh", "-c", w.inRoot(env.value("SCRIPT"))}
	if argv[2] == "" {
		argv = nil
		for _, word := range append(append([]string{}, w.container.Command...), w.container.Args...) {
			argv = append(argv, expansion.Expand(word, env.mapping()))
		}
	}
	if len(argv) == 0 {
		return nil, nil
	}
	message := w.terminationPath()
	if err := os.MkdirAll(filepath.Dir(message), 0o755); err != nil {
		return nil, mountError{err}
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = w.root()
	if inside := w.container.WorkingDir; inside != "" {
		cmd.Dir = filepath.Join(w.root(), inside)
		if err := os.MkdirAll(cmd.Dir, 0o755); err != nil {
			return nil, mountError{err}
		}
	}
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOSTNAME=" + w.pod.Name}, env.list(w.inRoot)...)
	cmd.Env = append(cmd.Env, "SVC_TEST_ROOT="+w.root(), "TERMINATION_LOG="+message)
	return cmd, nil
}

// inRoot gives a value with the container's root before it when it is a path in one of the mounts.
func (w *worker) inRoot(value string) string {
	for _, mount := range w.container.VolumeMounts {
		path := strings.TrimSuffix(mount.MountPath, "/")
		if rest, ok := strings.CutPrefix(value, path); ok && (rest == "" || strings.HasPrefix(rest, "/")) {
			return w.root() + value
		}
	}
	return value
}

func (w *worker) terminationPath() string {
	path := w.container.TerminationMessagePath
	if path == "" {
		path = corev1.TerminationMessagePathDefault
	}
	return filepath.Join(w.root(), path)
}

// terminationMessage is what the process left for the reader of the pod's status.
func (w *worker) terminationMessage(code int32) string {
	content, _ := os.ReadFile(w.terminationPath())
	if len(content) > longestTerminationMessage {
		content = content[:longestTerminationMessage]
	}
	if len(content) == 0 && code != 0 &&
		w.container.TerminationMessagePolicy == corev1.TerminationMessageFallbackToLogsOnError {
		return w.log.tail(longestFallbackLines, longestFallbackMessage)
	}
	return strings.ToValidUTF8(string(content), "\uFFFD")
}

// environment is the variables of a container, in the order in which they were set.
type environment struct {
	names  []string
	values map[string]string
}

func (e *environment) set(name, value string) {
	if _, known := e.values[name]; !known {
		e.names = append(e.names, name)
	}
	e.values[name] = value
}

func (e *environment) value(name string) string { return e.values[name] }

// mapping is what $(NAME) stands for.
func (e *environment) mapping() func(string) string { return expansion.MappingFuncFor(e.values) }

func (e *environment) list(change func(string) string) []string {
	var list []string
	for _, name := range e.names {
		list = append(list, name+"="+change(e.values[name]))
	}
	return list
}

// environment resolves env and envFrom.
func (w *worker) environment(ctx context.Context) (*environment, error) {
	env := &environment{values: map[string]string{}}
	for _, from := range w.container.EnvFrom {
		var data map[string]string
		var err error
		switch {
		case from.SecretRef != nil:
			data, err = w.secret(ctx, from.SecretRef.Name, from.SecretRef.Optional)
		case from.ConfigMapRef != nil:
			data, err = w.configMap(ctx, from.ConfigMapRef.Name, from.ConfigMapRef.Optional)
		}
		if err != nil {
			return nil, err
		}
		for name, value := range data {
			env.set(from.Prefix+name, value)
		}
	}
	for _, variable := range w.container.Env {
		value, found, err := w.resolve(ctx, variable, env)
		if err != nil {
			return nil, err
		}
		if found {
			env.set(variable.Name, value)
		}
	}
	return env, nil
}

// resolve gives the value of one variable; not found when it is optional and not there.
func (w *worker) resolve(ctx context.Context, v corev1.EnvVar, env *environment) (value string, found bool, err error) {
	from := v.ValueFrom
	switch {
	case from == nil:
		return expansion.Expand(v.Value, env.mapping()), true, nil
	case from.SecretKeyRef != nil:
		ref := from.SecretKeyRef
		data, err := w.secret(ctx, ref.Name, ref.Optional)
		return w.pick(data, err, ref.Key, ref.Optional, "Secret", ref.Name)
	case from.ConfigMapKeyRef != nil:
		ref := from.ConfigMapKeyRef
		data, err := w.configMap(ctx, ref.Name, ref.Optional)
		return w.pick(data, err, ref.Key, ref.Optional, "ConfigMap", ref.Name)
	case from.FieldRef != nil:
		value, err := w.field(from.FieldRef.FieldPath)
		return value, err == nil, err
	}
	return "", false, fmt.Errorf("the source of %s is not supported here", v.Name)
}

// pick gives the value of a key; not found when it is optional and not there.
func (w *worker) pick(data map[string]string, err error, key string, optional *bool, kind, name string) (
	value string, found bool, _ error) {
	if err != nil {
		return "", false, err
	}
	value, found = data[key]
	if !found && (optional == nil || !*optional) {
		err = fmt.Errorf("couldn't find key %s in %s %s/%s", key, kind, w.pod.Namespace, name)
	}
	return value, found, err
}

func (w *worker) field(path string) (string, error) {
	switch path {
	case "metadata.name":
		return w.pod.Name, nil
	case "metadata.namespace":
		return w.pod.Namespace, nil
	case "metadata.uid":
		return string(w.pod.UID), nil
	case "spec.nodeName":
		return nodeName, nil
	case "status.podIP", "status.hostIP":
		return "127.0.0.1", nil
	}
	for prefix, from := range map[string]map[string]string{
		"metadata.labels['": w.pod.Labels, "metadata.annotations['": w.pod.Annotations,
	} {
		if key, ok := strings.CutPrefix(path, prefix); ok {
			return from[strings.TrimSuffix(key, "']")], nil
		}
	}
	return "", fmt.Errorf("the field %s is not supported here", path)
}

// secret gives the data of a Secret; nothing when it is optional and does not exist.
func (w *worker) secret(ctx context.Context, name string, optional *bool) (map[string]string, error) {
	found, err := w.node.client.CoreV1().Secrets(w.pod.Namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, missing(err, optional, "secret", name)
	}
	data := map[string]string{}
	for key, value := range found.Data {
		data[key] = string(value)
	}
	return data, nil
}

// configMap gives the data of a ConfigMap; nothing when it is optional and does not exist.
func (w *worker) configMap(ctx context.Context, name string, optional *bool) (map[string]string, error) {
	found, err := w.node.client.CoreV1().ConfigMaps(w.pod.Namespace).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, missing(err, optional, "configmap", name)
	}
	data := map[string]string{}
	for key, value := range found.BinaryData {
		data[key] = string(value)
	}
	for key, value := range found.Data {
		data[key] = value
	}
	return data, nil
}

// missing is the error that a kubelet shows for an object that it could not get; none when it may be missing.
func missing(err error, optional *bool, kind, name string) error {
	switch {
	case apierrors.IsNotFound(err) && optional != nil && *optional:
		return nil
	case apierrors.IsNotFound(err):
		return fmt.Errorf("%s %q not found", kind, name)
	}
	return err
}
