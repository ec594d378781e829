package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"k8s.io/component-base/cli"
	kubeapiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
)

// apiserverCommand is the argument with which this executable is the apiserver.
const apiserverCommand = "kube-apiserver"

// auditPolicy has every request of the tests written once, at its end; a watch also when it begins.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  users: ["` + internalUser + `", "system:apiserver"]
- level: Metadata
`

// disabledPlugins are the admission plugins that are left out: they slow the start, or want a controller that does not
// run here.
var disabledPlugins = []string{
	"CertificateApproval", "CertificateSigning", "CertificateSubjectRestriction", "ClusterTrustBundleAttest",
	"DefaultIngressClass", "DefaultStorageClass", "MutatingAdmissionPolicy", "MutatingAdmissionWebhook",
	"PersistentVolumeClaimResize", "RuntimeClass", "ServiceAccount", "StorageObjectInUseProtection",
	"TaintNodesByCondition", "ValidatingAdmissionPolicy", "ValidatingAdmissionWebhook",
}

// apiserver is the child process that is kube-apiserver, and how to reach it.
type apiserver struct {
	processes   *processes
	credentials *credentials
	etcd        string
	port        int
	client      *http.Client
	gate        *gate

	cmd    *exec.Cmd
	exited chan struct{}
}

// newAPIServer takes a port for the apiserver; nothing listens there yet.
func newAPIServer(p *processes, c *credentials, etcd string) (*apiserver, error) {
	port, err := reservePort()
	if err != nil {
		return nil, err
	}
	return &apiserver{
		processes: p, credentials: c, etcd: etcd, port: port, gate: &gate{},
		client: &http.Client{
			Timeout:   5 * time.Second,
			Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: c.roots}, DisableKeepAlives: true},
		},
	}, nil
}

func (a *apiserver) url() string { return fmt.Sprintf("https://127.0.0.1:%d", a.port) }

func (a *apiserver) auditLog() string { return a.credentials.path("audit.log") }

// start starts the process and comes back when it is ready.
func (a *apiserver) start(ctx context.Context) error {
	if err := os.WriteFile(a.credentials.path("audit-policy.yaml"), []byte(auditPolicy), 0o600); err != nil {
		return err
	}
	log, err := os.OpenFile(a.credentials.path("kube-apiserver.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	// This works even when the file has been deleted since.
	cmd := exec.Command("/proc/self/exe", append([]string{apiserverCommand}, a.flags()...)...)
	cmd.Stdout, cmd.Stderr, cmd.Dir = log, log, a.credentials.dir
	// It ends with its stdin, which is open for as long as this process lives.
	if _, err := cmd.StdinPipe(); err != nil {
		return err
	}
	if err := a.processes.start(cmd); err != nil {
		return err
	}
	exited := make(chan struct{})
	a.cmd, a.exited = cmd, exited
	go func() {
		_ = cmd.Wait()
		a.processes.ended(cmd.Process.Pid)
		close(exited)
	}()
	for !a.ready(ctx) {
		select {
		case <-exited:
			return fmt.Errorf("kube-apiserver ended with %v: see %s", cmd.ProcessState, log.Name())
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	a.gate.open()
	return nil
}

// stop ends the process: politely, and after a second by force.
func (a *apiserver) stop() {
	a.gate.close()
	_ = a.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-a.exited:
	case <-time.After(time.Second):
		_ = a.cmd.Process.Kill()
		<-a.exited
	}
}

func (a *apiserver) ready(ctx context.Context) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url()+"/readyz", nil)
	if err != nil {
		return false
	}
	request.Header.Set("Authorization", "Bearer "+a.credentials.tokens["internal"])
	response, err := a.client.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func (a *apiserver) flags() []string {
	c := a.credentials
	return []string{
		"--etcd-servers=" + a.etcd,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", a.port), "--permit-port-sharing=true",
		"--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
		"--tls-cert-file=" + c.path("server.crt"), "--tls-private-key-file=" + c.path("server.key"),
		"--token-auth-file=" + c.path("tokens.csv"), "--anonymous-auth=false",
		"--authorization-mode=RBAC",
		"--service-cluster-ip-range=10.0.0.0/24",
		"--service-account-issuer=" + a.url(),
		"--service-account-key-file=" + c.path("service-accounts.key"),
		"--service-account-signing-key-file=" + c.path("service-accounts.key"),
		"--kubelet-preferred-address-types=InternalIP",
		"--kubelet-certificate-authority=" + c.path("ca.crt"),
		"--kubelet-client-certificate=" + c.path("server.crt"), "--kubelet-client-key=" + c.path("server.key"),
		"--disable-admission-plugins=" + strings.Join(disabledPlugins, ","),
		"--enable-priority-and-fairness=false", "--profiling=false",
		"--audit-policy-file=" + c.path("audit-policy.yaml"), "--audit-log-path=" + a.auditLog(),
	}
}

// apiserverMain is what the child process does.
func apiserverMain(args []string) int {
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	command := kubeapiserver.NewAPIServerCommand()
	command.SetArgs(args)
	return cli.Run(command)
}

// reservePort binds a free port and keeps it without listening, so that nobody else gets it while the apiserver is
// down. The apiserver may still listen on it, because both share it.
func reservePort() (int, error) {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	if err := syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, soReusePort, 1); err != nil {
		return 0, err
	}
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, err
	}
	address, err := syscall.Getsockname(socket)
	if err != nil {
		return 0, err
	}
	return address.(*syscall.SockaddrInet4).Port, nil
}

// soReusePort is SO_REUSEPORT on Linux, which package syscall does not name.
const soReusePort = 15
