package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// announcement is the line that says where the cluster is.
type announcement struct {
	URL         string            `json:"url"`
	CA          string            `json:"ca"`
	Tokens      map[string]string `json:"tokens"`
	Kubeconfigs map[string]string `json:"kubeconfigs"`
	PID         int               `json:"pid"`
	AuditLog    string            `json:"audit_log"`
}

// up runs a cluster until stdin ends or a signal comes.
func up(dir string) error {
	dir, err := emptyDirectory(dir)
	if err != nil {
		return err
	}
	children, err := newProcesses()
	if err != nil {
		return err
	}
	defer children.killAll()
	commands := readLines()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	// One thing is done at a time, beginning with the start; the end of stdin and signals count meanwhile too.
	var server *apiserver
	busy := inBackground(func() (err error) {
		server, err = startCluster(ctx, dir, children)
		return err
	})
	var queue []string
	for {
		var exited <-chan struct{}
		if busy == nil && len(queue) > 0 {
			line := queue[0]
			queue = queue[1:]
			busy = inBackground(func() error { return obey(ctx, server, line) })
		} else if busy == nil {
			exited = server.exited
		}
		select {
		case err := <-busy:
			if err != nil {
				return err
			}
			busy = nil
		case line, ok := <-commands:
			if !ok {
				return nil
			}
			queue = append(queue, line)
		case <-signals:
			return nil
		case <-exited:
			return fmt.Errorf("kube-apiserver ended with %v: see its log in %s", server.cmd.ProcessState, dir)
		}
	}
}

// inBackground does something and tells how that went.
func inBackground(what func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- what() }()
	return done
}

// startCluster starts everything and announces it.
func startCluster(ctx context.Context, dir string, children *processes) (*apiserver, error) {
	if err := logToFile(filepath.Join(dir, "controllers.log")); err != nil {
		return nil, err
	}
	credentials, err := newCredentials(dir)
	if err != nil {
		return nil, err
	}
	etcd, err := startEtcd(dir)
	if err != nil {
		return nil, err
	}
	server, err := newAPIServer(children, credentials, etcd)
	if err != nil {
		return nil, err
	}
	kubeconfigs, err := credentials.writeKubeconfigs(server.url())
	if err != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	if err := server.start(within); err != nil {
		return nil, err
	}
	config := &rest.Config{
		Host:            server.url(),
		BearerToken:     credentials.tokens["internal"],
		TLSClientConfig: rest.TLSClientConfig{CAFile: credentials.path("ca.crt")},
		QPS:             -1, // no limit
		WrapTransport:   server.gate.wrap,
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	if err := startNode(ctx, filepath.Join(dir, "pods"), credentials, client, factory, children); err != nil {
		return nil, err
	}
	if err := startControllers(ctx, config, client, factory); err != nil {
		return nil, err
	}
	tokens := map[string]string{}
	for _, name := range []string{"admin", "app", "outsider"} {
		tokens[name] = credentials.tokens[name]
	}
	return server, say(announcement{
		URL: server.url(), CA: credentials.path("ca.crt"), Tokens: tokens, Kubeconfigs: kubeconfigs, PID: os.Getpid(),
		AuditLog: server.auditLog(),
	})
}

// obey does what one line of stdin asks for.
func obey(ctx context.Context, server *apiserver, line string) error {
	switch strings.TrimSpace(line) {
	case "":
		return nil
	case "restart-apiserver":
		within, cancel := context.WithTimeout(ctx, 2*time.Minute)
		defer cancel()
		server.stop()
		if err := server.start(within); err != nil {
			return err
		}
		return say(map[string]bool{"restarted": true})
	default:
		return say(map[string]string{"error": "unknown command: " + line})
	}
}

// say writes one line of JSON to stdout.
func say(what any) error {
	line, err := json.Marshal(what)
	if err == nil {
		_, err = os.Stdout.Write(append(line, '\n'))
	}
	return err
}

// readLines gives the lines of stdin; the channel is closed at its end.
func readLines() <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(os.Stdin); scanner.Scan(); {
			lines <- scanner.Text()
		}
	}()
	return lines
}

// emptyDirectory makes dir if need be, and gives its absolute path.
func emptyDirectory(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty", dir)
	}
	return dir, err
}

// logToFile has what the controllers log written to a file.
func logToFile(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL", "one_output": "true"} {
		if err := flags.Set(name, value); err != nil {
			return err
		}
	}
	klog.SetOutput(file)
	return nil
}
