package main

import (
	"context"
	"net"
	"path/filepath"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
)

// nodeName is the name of the only node.
const nodeName = "kubemini"

// node is the scheduler and the kubelet of the only node: it binds pods and runs them as local processes.
type node struct {
	dir       string
	client    kubernetes.Interface
	processes *processes
	events    record.EventRecorder

	mu   sync.Mutex
	pods map[types.UID]*worker
}

// startNode registers the node, and has every pod that the factory's informer sees taken care of.
func startNode(ctx context.Context, dir string, c *credentials, client kubernetes.Interface,
	factory informers.SharedInformerFactory, children *processes) error {
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	n := &node{
		dir: dir, client: client, processes: children, pods: map[types.UID]*worker{},
		events: broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "kubelet", Host: nodeName}),
	}
	port, err := n.serveLogs(c)
	if err != nil {
		return err
	}
	if err := n.register(ctx, port); err != nil {
		return err
	}
	_, err = factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { n.seen(ctx, o.(*corev1.Pod)) },
		UpdateFunc: func(_, o any) { n.seen(ctx, o.(*corev1.Pod)) },
		DeleteFunc: func(o any) {
			if unknown, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = unknown.Obj
			}
			if pod, ok := o.(*corev1.Pod); ok {
				n.gone(pod)
			}
		},
	})
	return err
}

// register makes the Node object, ready from the start.
func (n *node) register(ctx context.Context, port int) error {
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("64"), corev1.ResourceMemory: resource.MustParse("256Gi"),
		corev1.ResourcePods: resource.MustParse("5000"),
	}
	made, err := n.client.CoreV1().Nodes().Create(ctx, &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: nodeName, Labels: map[string]string{
			corev1.LabelHostname: nodeName, corev1.LabelOSStable: "linux",
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	now := metav1.Now()
	made.Status = corev1.NodeStatus{
		Capacity: room, Allocatable: room,
		Addresses:       []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}},
		DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: int32(port)}},
		Conditions: []corev1.NodeCondition{{
			Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady",
			LastHeartbeatTime: now, LastTransitionTime: now,
		}},
	}
	_, err = n.client.CoreV1().Nodes().UpdateStatus(ctx, made, metav1.UpdateOptions{})
	return err
}

// seen is told of every pod that is new or has changed.
func (n *node) seen(ctx context.Context, pod *corev1.Pod) {
	n.mu.Lock()
	defer n.mu.Unlock()
	w := n.pods[pod.UID]
	if w == nil {
		if pod.Spec.NodeName != "" && pod.Spec.NodeName != nodeName {
			return
		}
		w = newWorker(n, pod, filepath.Join(n.dir, string(pod.UID)))
		n.pods[pod.UID] = w
		go w.run(ctx)
	}
	if pod.DeletionTimestamp != nil {
		w.askToEnd(pod.DeletionGracePeriodSeconds)
	}
}

// gone is told of every pod that no longer exists.
func (n *node) gone(pod *corev1.Pod) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if w := n.pods[pod.UID]; w != nil {
		w.askToEnd(new(int64))
		w.forget()
		delete(n.pods, pod.UID)
	}
}

// find gives the worker of a pod by its name.
func (n *node) find(namespace, name string) *worker {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, w := range n.pods {
		if w.pod.Namespace == namespace && w.pod.Name == name {
			return w
		}
	}
	return nil
}

// listenLoopback listens on a free port.
func listenLoopback() (net.Listener, int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, 0, err
	}
	return listener, listener.Addr().(*net.TCPAddr).Port, nil
}
