package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var background = metav1.DeletePropagationBackground

// TestJobs goes through what a Job can do, all in one cluster.
func TestJobs(t *testing.T) {
	c := startTestCluster(t)
	c.allow()
	for _, test := range []struct {
		name string
		run  func(*cluster)
	}{
		{"success", testSuccess}, {"failure", testFailure}, {"volumes", testVolumes}, {"deadline", testDeadline},
		{"deleted", testDeleted}, {"ttl", testTTL}, {"credentials", testCredentials}, {"missing secret", testMissingSecret},
		{"images", testImages}, {"follow", testFollow}, {"restart", testRestart}, {"many", testMany},
		{"namespace", testNamespace}, {"audit", testAudit},
	} {
		t.Run(test.name, func(t *testing.T) {
			copied := *c
			copied.t = t
			test.run(&copied)
		})
	}
}

func testSuccess(c *cluster) {
	c.create(newJob("good", "sh:1", "echo one; echo two >&2; echo $POD; printf tail"))
	c.t.Logf("complete after %v", c.finished("good", "Complete:CompletionsReached"))
	equal(c.t, c.log("good", corev1.PodLogOptions{}), "one\ntwo\n\ntail")
	two, five := int64(2), int64(5)
	equal(c.t, c.log("good", corev1.PodLogOptions{TailLines: &two}), "\ntail")
	equal(c.t, c.log("good", corev1.PodLogOptions{LimitBytes: &five}), "one\nt")
	first := strings.SplitN(c.log("good", corev1.PodLogOptions{Timestamps: true}), "\n", 2)[0]
	at, text, _ := strings.Cut(first, " ")
	_, err := time.Parse(time.RFC3339Nano, at)
	must(c.t, err)
	equal(c.t, text, "one")
	pod := c.pod("good")
	equal(c.t, pod.Status.Phase, corev1.PodSucceeded)
	equal(c.t, pod.Status.ContainerStatuses[0].State.Terminated.Reason, "Completed")
}

func testFailure(c *cluster) {
	job := newJob("bad", "sh", `echo "it broke" > "$TERMINATION_LOG"; exit 42`)
	c.create(job)
	c.finished("bad", "Failed:BackoffLimitExceeded")
	end := c.state("bad").Terminated
	equal(c.t, end.ExitCode, 42)
	equal(c.t, end.Reason, "Error")
	equal(c.t, end.Message, "it broke\n")

	job = newJob("fallback", "sh", `echo "last words"; exit 3`)
	job.Spec.Template.Spec.Containers[0].TerminationMessagePolicy = corev1.TerminationMessageFallbackToLogsOnError
	c.create(job)
	c.finished("fallback", "Failed:BackoffLimitExceeded")
	equal(c.t, c.state("fallback").Terminated.Message, "last words\n")
}

func testVolumes(c *cluster) {
	job := newJob("volumes", "sh", `cat "$TOKEN_FILE"; echo; cat $SVC_TEST_ROOT/svc/in/token
echo " $TOKEN $POD_NAMESPACE $token"; echo y > "$WORK/y"; ls "$WORK"`)
	spec := &job.Spec.Template.Spec
	spec.Volumes = []corev1.Volume{
		{Name: "in", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "volumes"}}},
		{Name: "work", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
	}
	container := &spec.Containers[0]
	container.VolumeMounts = []corev1.VolumeMount{{Name: "in", MountPath: "/svc/in"}, {Name: "work", MountPath: "/work"}}
	ref := corev1.LocalObjectReference{Name: "volumes"}
	container.Env = append(container.Env,
		corev1.EnvVar{Name: "TOKEN_FILE", Value: "/svc/in/token"}, corev1.EnvVar{Name: "WORK", Value: "/work"},
		corev1.EnvVar{Name: "TOKEN", ValueFrom: &corev1.EnvVarSource{
			SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: ref, Key: "token"}}},
		corev1.EnvVar{Name: "POD_NAMESPACE", ValueFrom: &corev1.EnvVarSource{
			FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.namespace"}}})
	container.EnvFrom = []corev1.EnvFromSource{{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: ref}}}
	made := c.create(job)
	c.until("waiting", func() bool { return c.state("volumes").Waiting != nil })
	equal(c.t, c.state("volumes").Waiting.Reason, "ContainerCreating")
	c.secretOf(made, "volumes")
	c.finished("volumes", "Complete:CompletionsReached")
	equal(c.t, c.log("volumes", corev1.PodLogOptions{}), "s3cret\ns3cret s3cret default s3cret\ny\n")
}

func testDeadline(c *cluster) {
	seconds := int64(1)
	job := newJob("slow", "sh", "sleep 600; true")
	job.Spec.ActiveDeadlineSeconds = &seconds
	c.create(job)
	c.t.Logf("failed after %v", c.finished("slow", "Failed:DeadlineExceeded"))

	job = newJob("slow-pod", "sh", "sleep 600; true")
	job.Spec.Template.Spec.ActiveDeadlineSeconds = &seconds
	c.create(job)
	c.finished("slow-pod", "Failed:BackoffLimitExceeded")
	equal(c.t, c.pod("slow-pod").Status.Reason, "DeadlineExceeded")
}

// testDeleted deletes a running Job whose process ignores SIGTERM and has a child.
func testDeleted(c *cluster) {
	file := c.t.TempDir() + "/pids"
	made := c.create(newJob("stopped", "sh", "trap '' TERM; (sleep 600) & echo $! > "+file+"; while :; do sleep 1; done"))
	c.secretOf(made, "stopped")
	c.until("running", func() bool { return c.state("stopped").Running != nil && len(pids(file)) == 1 })
	child := pids(file)[0]
	equal(c.t, alive(child), true)
	must(c.t, c.app.BatchV1().Jobs("default").Delete(context.Background(), "stopped",
		metav1.DeleteOptions{PropagationPolicy: &background}))
	c.t.Logf("pod gone after %v", c.until("pod gone", func() bool { return c.pod("stopped") == nil }))
	equal(c.t, alive(child), false)
	c.t.Logf("secret gone %v later", c.until("secret gone", c.noSecret("stopped")))
}

func pids(file string) []int {
	text, _ := os.ReadFile(file)
	var all []int
	for _, word := range strings.Fields(string(text)) {
		pid, _ := strconv.Atoi(word)
		all = append(all, pid)
	}
	return all
}

func testTTL(c *cluster) {
	seconds := int32(1)
	job := newJob("brief", "quick", "")
	job.Spec.TTLSecondsAfterFinished = &seconds
	c.secretOf(c.create(job), "brief")
	c.t.Logf("secret gone after %v", c.until("secret gone", c.noSecret("brief")))
	c.until("pod gone", func() bool { return c.pod("brief") == nil })
}

func testCredentials(c *cluster) {
	ctx := context.Background()
	_, err := c.client("outsider").BatchV1().Jobs("default").List(ctx, metav1.ListOptions{})
	equal(c.t, apierrors.IsForbidden(err), true)
	_, err = c.app.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	equal(c.t, apierrors.IsForbidden(err), true)
	_, err = c.client("expired").BatchV1().Jobs("default").List(ctx, metav1.ListOptions{})
	equal(c.t, apierrors.IsUnauthorized(err), true)
	_, err = c.client("wrong_ca").BatchV1().Jobs("default").List(ctx, metav1.ListOptions{})
	equal(c.t, err != nil && strings.Contains(err.Error(), "certificate"), true)
}

func testMissingSecret(c *cluster) {
	job := newJob("held", "sh", "echo $token")
	job.Spec.Template.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{
		SecretRef: &corev1.SecretEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "held"}},
	}}
	made := c.create(job)
	c.until("waiting", func() bool { return c.state("held").Waiting != nil })
	waiting := c.state("held").Waiting
	equal(c.t, waiting.Reason, "CreateContainerConfigError")
	equal(c.t, waiting.Message, `secret "held" not found`)
	request := c.app.CoreV1().Pods("default").GetLogs(c.pod("held").Name, &corev1.PodLogOptions{})
	_, err := request.DoRaw(context.Background())
	equal(c.t, apierrors.IsBadRequest(err), true)
	time.Sleep(time.Second)
	equal(c.t, c.pod("held").Status.Phase, corev1.PodPending)
	c.secretOf(made, "held")
	c.t.Logf("complete %v after the Secret came", c.finished("held", "Complete:CompletionsReached"))
	equal(c.t, c.log("held", corev1.PodLogOptions{}), "s3cret\n")
}

func testImages(c *cluster) {
	unknown := "nobody-knows@sha256:" + strings.Repeat("0", 64)
	for _, image := range []string{"oom", "evicted", "pending", "unpullable", unknown} {
		name, _, _ := strings.Cut(image, "@")
		c.create(newJob("image-"+name, image, ""))
	}
	c.finished("image-oom", "Failed:BackoffLimitExceeded")
	equal(c.t, c.state("image-oom").Terminated.Reason, "OOMKilled")
	equal(c.t, c.state("image-oom").Terminated.ExitCode, 137)
	c.finished("image-evicted", "Failed:BackoffLimitExceeded")
	equal(c.t, c.pod("image-evicted").Status.Reason, "Evicted")
	for _, name := range []string{"image-unpullable", "image-nobody-knows"} {
		c.until(name, func() bool { w := c.state(name).Waiting; return w != nil && w.Reason == "ImagePullBackOff" })
	}
	condition := c.pod("image-pending").Status.Conditions[0]
	equal(c.t, condition.Reason, "Unschedulable")
	for _, name := range []string{"image-pending", "image-unpullable"} {
		must(c.t, c.app.BatchV1().Jobs("default").Delete(context.Background(), name,
			metav1.DeleteOptions{PropagationPolicy: &background}))
		c.until(name+" gone", func() bool { return c.pod(name) == nil })
	}
}

func testFollow(c *cluster) {
	c.create(newJob("followed", "sh", "echo one; sleep 1; echo two"))
	c.until("running", func() bool { return c.state("followed").Running != nil })
	equal(c.t, c.log("followed", corev1.PodLogOptions{Follow: true}), "one\ntwo\n")
}

func testRestart(c *cluster) {
	c.create(newJob("survivor", "sh", "echo before; sleep 1; echo after"))
	c.until("running", func() bool { return c.state("survivor").Running != nil })
	began := time.Now()
	_, err := fmt.Fprint(c.stdin, "nonsense\nrestart-apiserver\n")
	must(c.t, err)
	equal(c.t, c.line(), `{"error":"unknown command: nonsense"}`+"\n")
	equal(c.t, c.line(), `{"restarted":true}`+"\n")
	c.t.Logf("restarted after %v", time.Since(began).Round(10*time.Millisecond))
	c.t.Logf("complete after %v more", c.finished("survivor", "Complete:CompletionsReached"))
	c.create(newJob("next", "sh", "echo hello"))
	c.t.Logf("the next Job took %v", c.finished("next", "Complete:CompletionsReached"))
	equal(c.t, c.log("survivor", corev1.PodLogOptions{}), "before\nafter\n")
}

func testMany(c *cluster) {
	for _, image := range []string{"quick", "sh"} {
		began := time.Now()
		for i := range 50 {
			c.create(newJob(fmt.Sprintf("%s-%d", image, i), image, "echo $$(hostname)"))
		}
		c.t.Logf("50 %s created after %v", image, time.Since(began).Round(10*time.Millisecond))
		for i := range 50 {
			c.finished(fmt.Sprintf("%s-%d", image, i), "Complete:CompletionsReached")
		}
		c.t.Logf("50 %s finished after %v", image, time.Since(began).Round(10*time.Millisecond))
	}
	equal(c.t, c.log("quick-0", corev1.PodLogOptions{}), "quick\n")
	out, _ := exec.Command("ps", "-o", "pid,rss,cputime,args", "--pid", strconv.Itoa(c.said.PID),
		"--ppid", strconv.Itoa(c.said.PID)).Output()
	for _, line := range strings.Split(string(out), "\n") {
		c.t.Log(line[:min(len(line), 80)])
	}
}

func testNamespace(c *cluster) {
	ctx := context.Background()
	_, err := c.admin.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other"}},
		metav1.CreateOptions{})
	must(c.t, err)
	_, err = c.admin.BatchV1().Jobs("other").Create(ctx, newJob("held", "sh", "sleep 600; true"), metav1.CreateOptions{})
	must(c.t, err)
	must(c.t, c.admin.CoreV1().Namespaces().Delete(ctx, "other", metav1.DeleteOptions{}))
	c.t.Logf("namespace gone after %v", c.until("namespace gone", func() bool {
		_, err := c.admin.CoreV1().Namespaces().Get(ctx, "other", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	}))
}

func testAudit(c *cluster) {
	text, err := os.ReadFile(c.said.AuditLog)
	must(c.t, err)
	creations := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var event struct {
			AuditID   string
			Verb      string
			User      struct{ Username string }
			ObjectRef struct{ Resource string }
		}
		must(c.t, json.Unmarshal([]byte(line), &event))
		if event.Verb == "create" && event.ObjectRef.Resource == "jobs" && event.User.Username == "app" {
			creations[event.AuditID] = true
		}
		equal(c.t, event.User.Username == internalUser, false)
	}
	c.t.Logf("app has created %d Jobs", len(creations))
	equal(c.t, len(creations) > 100, true)
}

// TestEnd checks that nothing is left when stdin ends, and when kubemini is killed.
func TestEnd(t *testing.T) {
	for name, end := range map[string]func(*cluster){
		"stdin":   func(c *cluster) { c.stdin.Close() },
		"SIGKILL": func(c *cluster) { must(c.t, c.cmd.Process.Kill()) },
		"SIGTERM": func(c *cluster) { must(c.t, c.cmd.Process.Signal(syscall.SIGTERM)) },
	} {
		t.Run(name, func(t *testing.T) {
			c := startTestCluster(t)
			c.allow()
			file := t.TempDir() + "/pids"
			c.create(newJob("running", "sh", "(trap '' TERM HUP; sleep 600; true) & echo $! $PPID > "+file+"; wait"))
			c.until("running", func() bool { return len(pids(file)) == 2 })
			out, err := exec.Command("ps", "-o", "pid=", "--ppid", strconv.Itoa(c.said.PID)).Output()
			must(t, err)
			must(t, os.WriteFile(file, append(out, fmt.Sprint(pids(file)[0])...), 0o600))
			processes := pids(file)
			t.Logf("%d processes", len(processes)+1)
			began := time.Now()
			end(c)
			_ = c.cmd.Wait()
			for _, pid := range processes {
				c.until(fmt.Sprintf("end of %d", pid), func() bool { return !alive(pid) })
			}
			t.Logf("all ended after %v", time.Since(began).Round(time.Millisecond))
		})
	}
}
