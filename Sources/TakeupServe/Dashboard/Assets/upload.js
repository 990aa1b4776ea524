// Resumable uploads (tus 1.0): a break goes on where the server stands.

import { Problem, call, problemOf, send } from "./api.js";

const version = { "Tus-Resumable": "1.0.0" };
const sliceBytes = 64 * 1024 * 1024;
const mostFailures = 8;

/** Files that were sent from this page, by their jobs' source: the player shows them without the network. */
export const sentFiles = new Map();

const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const memoryKey = (file) => `takeup.upload.${file.name}.${file.size}.${file.lastModified}`;

function remember(key, id) {
    try {
        if (id) localStorage.setItem(key, id);
        else localStorage.removeItem(key);
    } catch {
        // Without storage, an upload can't be resumed after the page is closed.
    }
}

function remembered(key) {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}

/** Sends a file; `tell` gets the part that the server has, from 0 to 1. */
export class Upload {
    #stop = new AbortController();
    #path = null;

    constructor(file, tell) {
        this.file = file;
        this.tell = tell;
    }

    /** Returns the source for a job. Throws a `Problem`, or an abort. */
    async run() {
        const key = memoryKey(this.file);
        let offset = 0;
        const known = remembered(key);
        if (known) {
            this.#path = `v1/uploads/${known}`;
            offset = await this.#offset().catch(() => null);
        }
        if (!known || offset === null) offset = await this.#create(key);
        for (let failures = 0; offset < this.file.size;) {
            try {
                const next = await this.#patch(offset);
                if (next <= offset) throw new Problem(0);
                offset = next;
                failures = 0;
            } catch (problem) {
                this.#stop.signal.throwIfAborted();
                failures += 1;
                const isLasting = problem.status >= 400 && problem.status < 500 && ![409, 423, 429].includes(problem.status);
                if (isLasting || problem.status === 507 || failures > mostFailures) throw problem;
                await new Promise((resolve) => setTimeout(resolve, Math.min(10, 2 ** failures / 2) * 1000));
                offset = (await this.#offset().catch(() => null)) ?? offset;
            }
        }
        remember(key, null);
        return `upload:${this.#path.split("/").at(-1)}`;
    }

    /** Stops, and removes from the server what has arrived. */
    async cancel() {
        this.#stop.abort();
        remember(memoryKey(this.file), null);
        if (!this.#path) return;
        await send("DELETE", this.#path, { headers: version }).catch(() => null);
    }

    async #create(key) {
        const metadata = [`filename ${base64(this.file.name)}`];
        if (this.file.type) metadata.push(`filetype ${base64(this.file.type)}`);
        const response = await this.#send("POST", "v1/uploads", {
            "Upload-Length": String(this.file.size), "Upload-Metadata": metadata.join(","),
        });
        const location = response.headers.get("Location");
        if (!location) throw new Problem(response.status, { title: "The server gave the upload no address." });
        const id = new URL(location, document.baseURI).pathname.split("/").filter(Boolean).at(-1);
        this.#path = `v1/uploads/${id}`;
        remember(key, id);
        return 0;
    }

    async #offset() {
        const response = await this.#send("HEAD", this.#path, {});
        const offset = Number(response.headers.get("Upload-Offset") ?? NaN);
        return Number.isSafeInteger(offset) && offset <= this.file.size ? offset : null;
    }

    async #send(method, path, headers) {
        const signal = this.#stop.signal;
        const response = await send(method, path, { headers: { ...version, ...headers }, signal });
        if (response.status === 401) {
            await call("GET", "v1/jobs/counts");
            return this.#send(method, path, headers);
        }
        if (!response.ok) throw await problemOf(response);
        return response;
    }

    /** `fetch` tells nothing while it sends, so this is the old way. */
    #patch(offset) {
        const { signal } = this.#stop;
        const slice = this.file.slice(offset, offset + sliceBytes);
        return new Promise((resolve, reject) => {
            const request = new XMLHttpRequest();
            const stop = () => request.abort();
            signal.addEventListener("abort", stop, { once: true });
            request.upload.onprogress = ({ loaded }) => this.tell((offset + loaded) / this.file.size);
            request.onerror = () => reject(new Problem(0));
            request.onabort = () => reject(signal.reason ?? new Problem(0));
            request.onload = () => {
                const known = Number(request.getResponseHeader("Upload-Offset") ?? NaN);
                if (request.status < 300) resolve(Number.isFinite(known) ? known : offset + slice.size);
                else problemOf(new Response(request.responseText, { status: Math.max(200, request.status) })).then(reject);
            };
            request.onloadend = () => signal.removeEventListener("abort", stop);
            request.open("PATCH", this.#path);
            for (const [key, value] of Object.entries(version)) request.setRequestHeader(key, value);
            request.setRequestHeader("Content-Type", "application/offset+octet-stream");
            request.setRequestHeader("Upload-Offset", String(offset));
            request.send(slice);
        });
    }
}
