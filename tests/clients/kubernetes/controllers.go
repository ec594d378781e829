package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/job"
	"k8s.io/kubernetes/pkg/controller/namespace"
	"k8s.io/kubernetes/pkg/controller/ttlafterfinished"
)

// collected are the API groups whose objects the garbage collector looks after; to watch all would take too long.
var collected = map[string]bool{
	"v1": true, "batch/v1": true, "rbac.authorization.k8s.io/v1": true, "networking.k8s.io/v1": true,
}

// collectedResources shows the garbage collector only the groups in collected.
type collectedResources struct {
	discovery.DiscoveryInterface
}

func (c collectedResources) ServerPreferredResources() ([]*metav1.APIResourceList, error) {
	lists, err := c.DiscoveryInterface.ServerPreferredResources()
	var kept []*metav1.APIResourceList
	for _, list := range lists {
		if collected[list.GroupVersion] {
			kept = append(kept, list)
		}
	}
	return kept, err
}

// startControllers starts those for Jobs, garbage collection, ttlSecondsAfterFinished and namespaces, and comes back
// when they know all that there is.
func startControllers(ctx context.Context, config *rest.Config, client *kubernetes.Clientset,
	factory informers.SharedInformerFactory) error {
	// A real controller looks at a Job once a second at most, and waits ten before it makes a new pod for a failed one.
	job.SyncJobBatchPeriod = 50 * time.Millisecond
	job.DefaultJobPodFailureBackOff = time.Second
	metadataClient, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	jobs, err := job.NewController(ctx, client, factory.Core().V1().Pods(), factory.Batch().V1().Jobs(), nil, nil)
	if err != nil {
		return err
	}
	ttl := ttlafterfinished.New(ctx, factory.Batch().V1().Jobs(), client)
	namespaces := namespace.NewNamespaceController(ctx, client, metadataClient,
		client.Discovery().ServerPreferredNamespacedResources, factory.Core().V1().Namespaces(), 5*time.Minute,
		corev1.FinalizerKubernetes)

	resources := collectedResources{client.Discovery()}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery()))
	others := metadatainformer.NewSharedInformerFactory(metadataClient, 0)
	started := make(chan struct{})
	collector, err := garbagecollector.NewGarbageCollector(ctx, client, metadataClient, mapper,
		garbagecollector.DefaultIgnoredResources(), informerfactory.NewInformerFactory(factory, others), started)
	if err != nil {
		return err
	}

	factory.Start(ctx.Done())
	close(started)
	go jobs.Run(ctx, 5)
	go ttl.Run(ctx, 2)
	go namespaces.Run(ctx, 2)
	go collector.Run(ctx, 10, 30*time.Second)
	go collector.Sync(ctx, resources, 30*time.Second)
	factory.WaitForCacheSync(ctx.Done())
	for !collector.IsSynced(klog.FromContext(ctx)) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}
