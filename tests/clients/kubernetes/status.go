package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
)

const evictionMessage = "The node was low on resource: memory."

// ending is how a container ended, and what that means for its pod.
type ending struct {
	exitCode         int32
	reason           string
	containerMessage string
	started          bool
	startedAt        time.Time
	finishedAt       time.Time

	podReason  string
	podMessage string
	disrupted  bool
}

// terminated is the end, now, of a container that has run. Without a reason the exit code gives it.
func terminated(code int32, reason string, startedAt time.Time) ending {
	if reason == "" && code == 0 {
		reason = "Completed"
	} else if reason == "" {
		reason = "Error"
	}
	return ending{exitCode: code, reason: reason, started: true, startedAt: startedAt, finishedAt: time.Now()}
}

// neverStarted is the end of a container that did not get as far as running.
func neverStarted() ending {
	return ending{
		exitCode: 137, reason: "ContainerStatusUnknown",
		containerMessage: "The container could not be located when the pod was terminated",
	}
}

func (e *ending) deadlineExceeded() {
	e.podReason = "DeadlineExceeded"
	e.podMessage = "Pod was active on the node longer than the specified deadline"
}

func (e *ending) evicted() {
	e.exitCode, e.reason = 137, "Error"
	e.podReason, e.podMessage, e.disrupted = "Evicted", evictionMessage, true
}

// waitingStatus is that of a pod whose container does not run yet.
func (w *worker) waitingStatus(reason, message string) corev1.PodStatus {
	return w.status(corev1.PodPending, corev1.ContainerState{
		Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message},
	}, false)
}

// runningSince says that the container runs.
func (w *worker) runningSince(ctx context.Context, started time.Time) {
	w.setWaiting("")
	w.report(ctx, w.status(corev1.PodRunning, corev1.ContainerState{
		Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(started)},
	}, true))
}

// finalStatus is that of a pod whose container has ended.
func (w *worker) finalStatus(e ending) corev1.PodStatus {
	phase := corev1.PodFailed
	if e.exitCode == 0 && e.podReason == "" {
		phase = corev1.PodSucceeded
	}
	state := &corev1.ContainerStateTerminated{ExitCode: e.exitCode, Reason: e.reason, Message: e.containerMessage}
	if e.started {
		state.StartedAt, state.FinishedAt = metav1.NewTime(e.startedAt), metav1.NewTime(e.finishedAt)
		state.ContainerID = w.containerID()
	}
	status := w.status(phase, corev1.ContainerState{Terminated: state}, false)
	status.Reason, status.Message = e.podReason, e.podMessage
	if e.disrupted {
		status.Conditions = append([]corev1.PodCondition{{
			Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: corev1.PodReasonTerminationByKubelet,
			Message: e.podMessage, LastTransitionTime: metav1.Now(),
		}}, status.Conditions...)
	}
	return status
}

func (w *worker) containerID() string { return "kubemini://" + string(w.pod.UID) }

// status is that of a bound pod.
func (w *worker) status(phase corev1.PodPhase, state corev1.ContainerState, ready bool) corev1.PodStatus {
	finished := phase == corev1.PodSucceeded || phase == corev1.PodFailed
	container := corev1.ContainerStatus{
		Name: w.container.Name, Image: w.container.Image, State: state, Ready: ready, Started: &ready,
	}
	if state.Running != nil || finished {
		container.ContainerID, container.ImageID = w.containerID(), w.container.Image
	}
	readiness, reason, message := corev1.ConditionTrue, "", ""
	switch {
	case phase == corev1.PodSucceeded:
		readiness, reason = corev1.ConditionFalse, "PodCompleted"
	case phase == corev1.PodFailed:
		readiness, reason = corev1.ConditionFalse, "PodFailed"
	case !ready:
		readiness, reason = corev1.ConditionFalse, "ContainersNotReady"
		message = "containers with unready status: [" + w.container.Name + "]"
	}
	now := metav1.Now()
	condition := func(kind corev1.PodConditionType, status corev1.ConditionStatus, why, text string) corev1.PodCondition {
		return corev1.PodCondition{Type: kind, Status: status, Reason: why, Message: text, LastTransitionTime: now}
	}
	return corev1.PodStatus{
		Phase:     phase,
		StartTime: &w.startTime,
		HostIP:    "127.0.0.1", HostIPs: []corev1.HostIP{{IP: "127.0.0.1"}},
		PodIP: "127.0.0.1", PodIPs: []corev1.PodIP{{IP: "127.0.0.1"}},
		QOSClass:          w.pod.Status.QOSClass,
		ContainerStatuses: []corev1.ContainerStatus{container},
		Conditions: []corev1.PodCondition{
			condition(corev1.PodInitialized, corev1.ConditionTrue, "", ""),
			condition(corev1.PodReady, readiness, reason, message),
			condition(corev1.ContainersReady, readiness, reason, message),
			condition(corev1.PodScheduled, corev1.ConditionTrue, "", ""),
		},
	}
}

// unschedulable marks the pod as one that fits on no node, and leaves it.
func (w *worker) unschedulable(ctx context.Context) {
	message := "0/1 nodes are available: 1 Insufficient memory."
	w.event(corev1.EventTypeWarning, "FailedScheduling", message)
	w.report(ctx, corev1.PodStatus{
		Phase: corev1.PodPending, QOSClass: w.pod.Status.QOSClass,
		Conditions: []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
			Message: message, LastTransitionTime: metav1.Now(),
		}},
	})
}

// bind puts the pod on the node; false when that is no longer wanted.
func (w *worker) bind(ctx context.Context) bool {
	if w.pod.Spec.NodeName != "" {
		return true
	}
	select {
	case <-w.ending:
		return false
	default:
	}
	return w.persist(ctx, "bind", func() error {
		return w.node.client.CoreV1().Pods(w.pod.Namespace).Bind(ctx, &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.pod.Namespace, Name: w.pod.Name, UID: w.pod.UID},
			Target:     corev1.ObjectReference{Kind: "Node", Name: nodeName},
		}, metav1.CreateOptions{})
	})
}

// report writes the status. Only what this worker says is changed.
func (w *worker) report(ctx context.Context, status corev1.PodStatus) {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": w.pod.UID}, "status": status})
	if err != nil {
		klog.ErrorS(err, "status of a pod")
		return
	}
	w.persist(ctx, "status", func() error {
		_, err := w.node.client.CoreV1().Pods(w.pod.Namespace).Patch(ctx, w.pod.Name, types.MergePatchType, patch,
			metav1.PatchOptions{}, "status")
		return err
	})
}

// remove deletes the pod for good, as a kubelet does when nothing of it runs any more.
func (w *worker) remove(ctx context.Context) {
	now := int64(0)
	w.persist(ctx, "delete", func() error {
		return w.node.client.CoreV1().Pods(w.pod.Namespace).Delete(ctx, w.pod.Name, metav1.DeleteOptions{
			GracePeriodSeconds: &now, Preconditions: &metav1.Preconditions{UID: &w.pod.UID},
		})
	})
}

// persist sends a request until the apiserver has answered it; false when the answer was no.
func (w *worker) persist(ctx context.Context, what string, request func() error) bool {
	for {
		err := request()
		if err == nil {
			return true
		}
		var status apierrors.APIStatus
		answered := errors.As(err, &status)
		if answered && status.Status().Code < http.StatusInternalServerError && !apierrors.IsTooManyRequests(err) {
			if !apierrors.IsNotFound(err) {
				klog.ErrorS(err, what, "pod", klog.KObj(w.pod))
			}
			return false
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(retryEvery):
		}
	}
}
