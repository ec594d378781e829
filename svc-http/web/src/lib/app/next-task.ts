/**
 * Goes on in a task of its own, so that the browser can draw and answer in between. Timers would wait some
 * milliseconds each when there are several in a row.
 */
export function nextTask(): Promise<void> {
  return new Promise((goOn) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      goOn();
    };
    port2.postMessage(undefined);
  });
}
