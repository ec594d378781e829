package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// TestMain makes the test executable kubemini itself when it is asked to, so that no other has to be built.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "up" || os.Args[1] == apiserverCommand) {
		main()
		return
	}
	os.Exit(m.Run())
}

// cluster is a running kubemini.
type cluster struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Reader
	said  announcement
	admin *kubernetes.Clientset
	app   *kubernetes.Clientset
}

func startTestCluster(t *testing.T) *cluster {
	t.Helper()
	began := time.Now()
	c := &cluster{t: t, cmd: exec.Command(os.Args[0], "up", t.TempDir()+"/state")}
	c.cmd.Stderr = os.Stderr
	stdout, err := c.cmd.StdoutPipe()
	must(t, err)
	c.stdin, err = c.cmd.StdinPipe()
	must(t, err)
	must(t, c.cmd.Start())
	t.Cleanup(func() {
		c.stdin.Close()
		_ = c.cmd.Wait()
	})
	c.lines = bufio.NewReader(stdout)
	must(t, json.Unmarshal([]byte(c.line()), &c.said))
	t.Logf("ready after %v", time.Since(began).Round(10*time.Millisecond))
	c.admin, c.app = c.client("admin"), c.client("app")
	return c
}

func (c *cluster) line() string {
	c.t.Helper()
	line, err := c.lines.ReadString('\n')
	must(c.t, err)
	return line
}

func (c *cluster) client(kubeconfig string) *kubernetes.Clientset {
	c.t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", c.said.Kubeconfigs[kubeconfig])
	must(c.t, err)
	config.QPS, config.WarningHandler = -1, rest.NoWarnings{}
	client, err := kubernetes.NewForConfig(config)
	must(c.t, err)
	return client
}

// allow gives "app" what it needs in the namespace default.
func (c *cluster) allow() {
	c.t.Helper()
	ctx := context.Background()
	_, err := c.admin.RbacV1().Roles("default").Create(ctx, &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Name: "app"},
		Rules: []rbacv1.PolicyRule{
			{APIGroups: []string{"batch"}, Resources: []string{"jobs"}, Verbs: []string{"*"}},
			{APIGroups: []string{""}, Resources: []string{"pods", "pods/log", "secrets"}, Verbs: []string{"*"}},
		},
	}, metav1.CreateOptions{})
	must(c.t, err)
	_, err = c.admin.RbacV1().RoleBindings("default").Create(ctx, &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "app"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "app"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: "app"}},
	}, metav1.CreateOptions{})
	must(c.t, err)
	// The apiserver learns of it by a watch, so a moment later.
	c.until("allowed", func() bool {
		_, err := c.app.BatchV1().Jobs("default").List(ctx, metav1.ListOptions{})
		return err == nil
	})
}

// newJob is a Job that runs a script in the image svc.test/NAME.
func newJob(name, image, script string) *batchv1.Job {
	none := int32(0)
	no := false
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: batchv1.JobSpec{
			BackoffLimit: &none,
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyNever, AutomountServiceAccountToken: &no,
				Containers: []corev1.Container{{
					Name: "main", Image: "svc.test/" + image, Env: []corev1.EnvVar{{Name: "SCRIPT", Value: script}},
				}},
			}},
		},
	}
}

func (c *cluster) create(job *batchv1.Job) *batchv1.Job {
	c.t.Helper()
	made, err := c.app.BatchV1().Jobs("default").Create(context.Background(), job, metav1.CreateOptions{})
	must(c.t, err)
	return made
}

// secretOf makes a Secret that the Job owns.
func (c *cluster) secretOf(job *batchv1.Job, name string) {
	c.t.Helper()
	_, err := c.app.CoreV1().Secrets("default").Create(context.Background(), &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: name, OwnerReferences: []metav1.OwnerReference{{
			APIVersion: "batch/v1", Kind: "Job", Name: job.Name, UID: job.UID,
		}}},
		StringData: map[string]string{"token": "s3cret"},
	}, metav1.CreateOptions{})
	must(c.t, err)
}

// condition gives the Job's condition that ended it, as "Type:Reason", when there is one.
func (c *cluster) condition(name string) string {
	job, err := c.app.BatchV1().Jobs("default").Get(context.Background(), name, metav1.GetOptions{})
	if err != nil {
		return ""
	}
	for _, condition := range job.Status.Conditions {
		if condition.Status == corev1.ConditionTrue &&
			(condition.Type == batchv1.JobComplete || condition.Type == batchv1.JobFailed) {
			return string(condition.Type) + ":" + condition.Reason
		}
	}
	return ""
}

// pod is the pod of a Job, or nil.
func (c *cluster) pod(job string) *corev1.Pod {
	list, err := c.app.CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{
		LabelSelector: "batch.kubernetes.io/job-name=" + job,
	})
	if err != nil || len(list.Items) == 0 {
		return nil
	}
	return &list.Items[0]
}

func (c *cluster) state(job string) corev1.ContainerState {
	if pod := c.pod(job); pod != nil && len(pod.Status.ContainerStatuses) > 0 {
		return pod.Status.ContainerStatuses[0].State
	}
	return corev1.ContainerState{}
}

func (c *cluster) log(job string, options corev1.PodLogOptions) string {
	c.t.Helper()
	text, err := c.app.CoreV1().Pods("default").GetLogs(c.pod(job).Name, &options).DoRaw(context.Background())
	must(c.t, err)
	return string(text)
}

func (c *cluster) until(what string, done func() bool) time.Duration {
	c.t.Helper()
	began := time.Now()
	for !done() {
		if time.Since(began) > 30*time.Second {
			c.t.Fatalf("still waiting: %s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return time.Since(began).Round(10 * time.Millisecond)
}

func (c *cluster) finished(job, want string) time.Duration {
	c.t.Helper()
	took := c.until(job+" "+want, func() bool { return c.condition(job) != "" })
	if got := c.condition(job); got != want {
		c.t.Fatalf("%s: %s instead of %s", job, got, want)
	}
	return took
}

func (c *cluster) noSecret(name string) func() bool {
	return func() bool {
		_, err := c.app.CoreV1().Secrets("default").Get(context.Background(), name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	}
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%v instead of %v", got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// alive tells whether a process exists and is no zombie.
func alive(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(text), ") Z ") && syscall.Kill(pid, 0) == nil
}
