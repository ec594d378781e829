package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// longestGrace is how long a process may take to end itself, whatever the pod says.
	longestGrace = time.Second
	// retryEvery is how often a missing Secret is looked for, and a refused request is sent again.
	retryEvery = 200 * time.Millisecond
	// pretendedRun is how long a container seems to run that has nothing to do until its end.
	pretendedRun = 300 * time.Millisecond
)

// tagOrDigest is what may follow the name of an image.
var tagOrDigest = regexp.MustCompile(`(:[^/:@]*)?(@.*)?$`)

// worker takes care of one pod, from its binding to its end.
type worker struct {
	node      *node
	pod       *corev1.Pod // as it was when it was seen first
	container *corev1.Container
	dir       string
	log       *podLog

	ending    chan struct{} // closed when the pod is to be deleted
	endOnce   sync.Once
	grace     time.Duration    // to be read when ending is closed
	deadline  <-chan time.Time // fires when the pod's activeDeadlineSeconds are over
	startTime metav1.Time

	mu      sync.Mutex
	waiting string // why the container does not run yet; empty when it has run
	gone    bool
}

func newWorker(n *node, pod *corev1.Pod, dir string) *worker {
	return &worker{
		node: n, pod: pod, container: &pod.Spec.Containers[0], dir: dir, log: newPodLog(),
		ending: make(chan struct{}), waiting: "ContainerCreating",
	}
}

// askToEnd says that the pod has been deleted.
func (w *worker) askToEnd(grace *int64) {
	w.endOnce.Do(func() {
		w.grace = longestGrace
		if grace != nil && *grace == 0 {
			w.grace = 0
		}
		close(w.ending)
	})
}

// forget drops the log and the files of a pod that no longer exists.
func (w *worker) forget() {
	w.log.close()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone = true
	_ = os.RemoveAll(w.dir)
}

func (w *worker) setWaiting(reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = reason
}

func (w *worker) waitingReason() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waiting
}

// errEnding says that the pod has been deleted, errDeadline that its activeDeadlineSeconds are over.
var (
	errEnding   = errors.New("the pod has been deleted")
	errDeadline = errors.New("the pod's deadline is over")
)

// run is the whole life of the pod.
func (w *worker) run(ctx context.Context) {
	image := tagOrDigest.ReplaceAllString(w.container.Image, "")
	if image == "svc.test/pending" {
		w.unschedulable(ctx)
		return
	}
	if !w.bind(ctx) {
		return
	}
	w.startTime = metav1.Now()
	if seconds := w.pod.Spec.ActiveDeadlineSeconds; seconds != nil {
		w.deadline = time.After(time.Duration(*seconds) * time.Second)
	}
	end, err := w.perform(ctx, image)
	switch {
	case errors.Is(err, errDeadline):
		end.deadlineExceeded()
	case ctx.Err() != nil:
		return
	}
	w.log.close()
	w.report(ctx, w.finalStatus(end))
	select {
	case <-w.ending:
	case <-ctx.Done():
		return
	}
	w.remove(ctx)
}

// perform is what the container does, by the name of its image.
func (w *worker) perform(ctx context.Context, image string) (ending, error) {
	switch image {
	case "svc.test/quick":
		w.log.write([]byte("quick\n"))
		w.setWaiting("")
		return terminated(0, "Completed", time.Now()), nil
	case "svc.test/sh":
		return w.runProcess(ctx, pause{})
	case "svc.test/oom":
		end, err := w.runProcess(ctx, pause{pretendedRun})
		if err == nil {
			end.exitCode, end.reason = 137, "OOMKilled"
		}
		return end, err
	case "svc.test/evicted":
		end, err := w.runProcess(ctx, pause{pretendedRun})
		if err == nil {
			w.event(corev1.EventTypeWarning, "Evicted", evictionMessage)
			end.evicted()
		}
		return end, err
	default:
		return w.cannotPull(ctx)
	}
}

// pause is how long a container without anything to run seems to run; zero is for images that must have something.
type pause struct{ length time.Duration }

// runProcess waits for what the container needs, runs its process, and tells how that ended.
func (w *worker) runProcess(ctx context.Context, idle pause) (ending, error) {
	cmd, err := w.prepareWhenPossible(ctx)
	if err != nil {
		return neverStarted(), err
	}
	started := time.Now()
	if cmd == nil && idle.length == 0 {
		return w.startError(errors.New("no command specified")), nil
	}
	if cmd == nil {
		w.runningSince(ctx, started)
		select {
		case <-time.After(idle.length):
			return terminated(0, "Completed", started), nil
		case <-w.ending:
			return terminated(143, "Error", started), errEnding
		case <-w.deadline:
			return terminated(143, "Error", started), errDeadline
		}
	}
	exited, err := w.startProcess(cmd)
	if err != nil {
		return w.startError(err), nil
	}
	w.runningSince(ctx, started)
	var why error
	select {
	case <-exited:
	case <-w.ending:
		why = errEnding
		kill(cmd, exited, w.grace)
	case <-w.deadline:
		why = errDeadline
		kill(cmd, exited, longestGrace)
	case <-ctx.Done():
		return neverStarted(), ctx.Err()
	}
	end := terminated(exitCode(cmd.ProcessState), "", started)
	end.containerMessage = w.terminationMessage(end.exitCode)
	return end, why
}

// startError is the end of a container that could not be started.
func (w *worker) startError(err error) ending {
	w.setWaiting("")
	end := terminated(128, "StartError", time.Now())
	end.containerMessage = err.Error()
	return end
}

// prepareWhenPossible tries to prepare the process until all that it refers to exists.
func (w *worker) prepareWhenPossible(ctx context.Context) (*exec.Cmd, error) {
	var last string
	for {
		cmd, err := w.prepare(ctx)
		if err == nil || errors.Is(err, errEnding) {
			return cmd, err
		}
		reason, message := "CreateContainerConfigError", err.Error()
		var mount mountError
		if errors.As(err, &mount) {
			reason = "ContainerCreating"
			message = ""
		}
		if text := reason + err.Error(); text != last {
			last = text
			if reason == "ContainerCreating" {
				w.event(corev1.EventTypeWarning, "FailedMount", err.Error())
			} else {
				w.event(corev1.EventTypeWarning, "Failed", "Error: "+err.Error())
			}
			w.setWaiting(reason)
			w.report(ctx, w.waitingStatus(reason, message))
		}
		if err := w.sleep(ctx, retryEvery); err != nil {
			return nil, err
		}
	}
}

// startProcess starts the process; what it writes is the pod's log. The channel is closed when it has ended and all of
// its log has been read.
func (w *worker) startProcess(cmd *exec.Cmd) (<-chan struct{}, error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = writer, writer
	err = w.node.processes.start(cmd)
	writer.Close()
	if err != nil {
		reader.Close()
		return nil, err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		w.log.readFrom(reader)
	}()
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		// As in a container, nothing outlives the first process.
		w.node.processes.ended(cmd.Process.Pid)
		select {
		case <-read:
		case <-time.After(time.Second): // a process that has left the group holds the pipe
		}
		reader.Close()
		<-read
		close(exited)
	}()
	return exited, nil
}

// kill ends the process group: politely, and after the grace period by force.
func kill(cmd *exec.Cmd, exited <-chan struct{}, grace time.Duration) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
	select {
	case <-exited:
		return
	case <-time.After(grace):
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	<-exited
}

// cannotPull is what happens to an image that no registry has.
func (w *worker) cannotPull(ctx context.Context) (ending, error) {
	image := w.container.Image
	reference := image
	if !strings.ContainsAny(image[strings.LastIndex(image, "/")+1:], ":@") {
		reference += ":latest"
	}
	failure := fmt.Sprintf("failed to pull and unpack image %q: failed to resolve image: %s: not found",
		reference, reference)
	w.event(corev1.EventTypeWarning, "Failed", fmt.Sprintf("Failed to pull image %q: %s", image, failure))
	w.setWaiting("ErrImagePull")
	w.report(ctx, w.waitingStatus("ErrImagePull", failure))
	if err := w.sleep(ctx, time.Second); err != nil {
		return neverStarted(), err
	}
	message := fmt.Sprintf("Back-off pulling image %q: ErrImagePull: %s", image, failure)
	w.event(corev1.EventTypeNormal, "BackOff", fmt.Sprintf("Back-off pulling image %q", image))
	w.setWaiting("ImagePullBackOff")
	w.report(ctx, w.waitingStatus("ImagePullBackOff", message))
	return neverStarted(), w.sleep(ctx, 1000*time.Hour)
}

// sleep waits, and says why it was cut short.
func (w *worker) sleep(ctx context.Context, length time.Duration) error {
	select {
	case <-time.After(length):
		return nil
	case <-w.ending:
		return errEnding
	case <-w.deadline:
		return errDeadline
	case <-ctx.Done():
		return ctx.Err()
	}
}

// event records an Event about the pod.
func (w *worker) event(kind, reason, message string) {
	w.node.events.Event(w.pod, kind, reason, message)
}

// exitCode is the code that Kubernetes shows for a process that has ended.
func exitCode(state *os.ProcessState) int32 {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int32(status.Signal())
	}
	return int32(state.ExitCode())
}
