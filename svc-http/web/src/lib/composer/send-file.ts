/** Uploads by XMLHttpRequest: `fetch` does not tell how much has been sent. */

import { readProblem } from '../api/client';
import { Unreachable } from '../api/problem';
import type { SendFile, StoredFile } from './uploads.svelte';

export const sendFile: SendFile = (file, progress, signal) =>
  new Promise<StoredFile>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('file', file, file.name || 'pasted');
    request.open('POST', '/api/attachments');
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new Unreachable());
    request.onabort = () => reject(new DOMException('given up', 'AbortError'));
    request.onload = () => {
      const isStored = request.status >= 200 && request.status < 300;
      const response = new Response(request.responseText, { status: isStored ? 200 : request.status });
      if (isStored) response.json().then(resolve, () => reject(new Unreachable()));
      else void readProblem(response).then(reject);
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
