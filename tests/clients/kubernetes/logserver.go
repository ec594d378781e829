package main

import (
	"crypto/tls"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"k8s.io/klog/v2"
)

// serveLogs serves the part of a kubelet's API that the apiserver asks for pods/log, to the apiserver only.
func (n *node) serveLogs(c *credentials) (port int, err error) {
	listener, port, err := listenLoopback()
	if err != nil {
		return 0, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", n.containerLogs)
	server := &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(klogWriter{}, "", 0),
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{c.server},
			ClientAuth:   tls.RequireAndVerifyClientCert, ClientCAs: c.roots,
		},
	}
	go func() { _ = server.ServeTLS(listener, "", "") }()
	return port, nil
}

// klogWriter takes what net/http logs.
type klogWriter struct{}

func (klogWriter) Write(p []byte) (int, error) {
	klog.InfoS("log server", "message", string(p))
	return len(p), nil
}

// logOptions are those of a request for a log.
type logOptions struct {
	follow     bool
	timestamps bool
	tail       int // -1: from the beginning
	limit      int // -1: without a limit
	since      time.Time
}

func parseLogOptions(query url.Values) (logOptions, error) {
	options := logOptions{
		tail: -1, limit: -1, follow: query.Get("follow") == "true", timestamps: query.Get("timestamps") == "true",
	}
	numbers := map[string]*int{"tailLines": &options.tail, "limitBytes": &options.limit}
	for name, number := range numbers {
		if text := query.Get(name); text != "" {
			value, err := strconv.Atoi(text)
			if err != nil {
				return options, fmt.Errorf("%s: %w", name, err)
			}
			*number = value
		}
	}
	if text := query.Get("sinceSeconds"); text != "" {
		seconds, err := strconv.Atoi(text)
		if err != nil {
			return options, fmt.Errorf("sinceSeconds: %w", err)
		}
		options.since = time.Now().Add(-time.Duration(seconds) * time.Second)
	}
	if text := query.Get("sinceTime"); text != "" {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return options, fmt.Errorf("sinceTime: %w", err)
		}
		options.since = at
	}
	return options, nil
}

// containerLogs answers with the log of a pod, and goes on until the container ends when it is to be followed.
func (n *node) containerLogs(response http.ResponseWriter, request *http.Request) {
	name, container := request.PathValue("pod"), request.PathValue("container")
	options, err := parseLogOptions(request.URL.Query())
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	w := n.find(request.PathValue("namespace"), name)
	if w == nil {
		http.Error(response, fmt.Sprintf("pod %q not found", name), http.StatusNotFound)
		return
	}
	if container != w.container.Name {
		http.Error(response, fmt.Sprintf("container %q in pod %q is not available", container, name), http.StatusBadRequest)
		return
	}
	if reason := w.waitingReason(); reason != "" {
		if reason == "ErrImagePull" || reason == "ImagePullBackOff" {
			reason = "trying and failing to pull image"
		}
		http.Error(response, fmt.Sprintf("container %q in pod %q is waiting to start: %s", container, name, reason),
			http.StatusBadRequest)
		return
	}
	if query := request.URL.Query(); query.Get("previous") == "true" {
		http.Error(response, fmt.Sprintf("previous terminated container %q in pod %q not found", container, name),
			http.StatusBadRequest)
		return
	}
	response.Header().Set("Content-Type", "text/plain")
	response.WriteHeader(http.StatusOK)
	w.log.send(response, request, options)
}

// send writes the log to a client.
func (l *podLog) send(response http.ResponseWriter, request *http.Request, options logOptions) {
	control := http.NewResponseController(response)
	lines, closed, changed := l.since(0)
	next := len(lines)
	if options.tail >= 0 && len(lines) > options.tail {
		lines = lines[len(lines)-options.tail:]
	}
	left := options.limit
	for {
		for _, line := range lines {
			if line.at.Before(options.since) {
				continue
			}
			text := line.text
			if options.timestamps {
				text = append([]byte(line.at.UTC().Format(time.RFC3339Nano)+" "), text...)
			}
			if left >= 0 && len(text) > left {
				text = text[:left]
			}
			if left >= 0 {
				left -= len(text)
			}
			if _, err := response.Write(text); err != nil || left == 0 {
				return
			}
		}
		if control.Flush() != nil || closed || !options.follow {
			return
		}
		select {
		case <-changed:
		case <-request.Context().Done():
			return
		}
		lines, closed, changed = l.since(next)
		next += len(lines)
	}
}
