// Requests, the session, and the stream of events.

/** An error of the server, or of the way to it (status 0). */
export class Problem extends Error {
    constructor(status, members = {}) {
        super(members.detail || members.title || "The server does not answer.");
        this.status = status;
        this.code = members.code;
        this.stage = members.stage;
        this.hint = members.hint;
    }
}

let unlocking = null;
let askForToken = () => Promise.reject(new Problem(401));

/** `ask` resolves once there is a session. */
export function onLocked(ask) {
    askForToken = ask;
}

function unlock() {
    unlocking ??= askForToken().finally(() => (unlocking = null));
    return unlocking;
}

export async function problemOf(response) {
    const members = await response.json().catch(() => ({}));
    if (!members.detail && !members.title) {
        members.title = `The server answers with status ${response.status}.`;
    }
    return new Problem(response.status, members);
}

export async function send(method, path, { body, headers = {}, seconds = 30, signal } = {}) {
    const limits = [AbortSignal.timeout(seconds * 1000), ...(signal ? [signal] : [])];
    const request = { method, headers: { ...headers }, signal: AbortSignal.any(limits) };
    if (body !== undefined) {
        request.body = JSON.stringify(body);
        request.headers["Content-Type"] = "application/json";
    }
    try {
        return await fetch(path, request);
    } catch (error) {
        if (signal?.aborted) throw error;
        throw new Problem(0, {
            detail: error.name === "TimeoutError"
                ? `The server did not answer within ${seconds} seconds.`
                : "The server can't be reached.",
        });
    }
}

/** Calls the API; asks for a token where one is needed, and then goes on. */
export async function call(method, path, body, options = {}) {
    for (;;) {
        const response = await send(method, path, { body, ...options });
        if (response.status === 401) {
            await unlock();
            continue;
        }
        if (!response.ok) throw await problemOf(response);
        const type = response.headers.get("Content-Type") ?? "";
        if (response.status === 204) return null;
        return type.includes("json") ? response.json() : response.text();
    }
}

export const get = (path, options) => call("GET", path, undefined, options);

/** The array in an answer, which is the answer itself or one of its members. */
export const listOf = (answer, key) => (Array.isArray(answer) ? answer : answer?.[key] ?? []);

export const jobPath = (id, rest = "") => `v1/jobs/${encodeURIComponent(id)}${rest}`;
export const cachePath = (id, rest = "") => `v1/cache/${encodeURIComponent(id)}${rest}`;
export const sourcePath = (key) => `v1/sources/${encodeURIComponent(key)}`;

/** A result's address; `path` is that of its file, or of the job's output. */
export function mediaPath(id, path) {
    return `media/${encodeURIComponent(id)}.${/\.m4a$/i.test(path ?? "") ? "m4a" : "mp4"}`;
}

/** Same key, same job: a submission that is sent twice counts once. */
export function idempotencyKey() {
    const digits = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, "0"));
    return `"${digits.join("")}"`;
}

const eventTypes = ["started", "progress", "warning", "finished", "counts"];
const longestWait = 30;
/** A hidden page gives its connection back: a browser opens only six to one server. */
const hiddenSeconds = 60;

/** Follows the events of all jobs, hands them over once a frame, and comes back after a break. */
export class EventFeed {
    #source = null;
    #pending = null;
    #failures = 0;
    #timer = 0;
    #hideTimer = 0;

    /** `take` gets `{progress, started, finished, counts}`; `tell` gets "live", or "broken", the seconds to wait and how often it has failed. */
    constructor(take, tell) {
        this.take = take;
        this.tell = tell;
        document.addEventListener("visibilitychange", () => {
            clearTimeout(this.#hideTimer);
            if (document.hidden) {
                this.#hideTimer = setTimeout(() => this.#stop(), hiddenSeconds * 1000);
            } else if (!this.#source) this.open();
        });
    }

    open() {
        this.#stop();
        const source = new EventSource("v1/events");
        this.#source = source;
        source.onopen = () => {
            this.#failures = 0;
            this.tell("live", 0, 0);
        };
        source.onerror = () => this.#retry();
        source.onmessage = (event) => this.#note(event);
        for (const type of eventTypes) source.addEventListener(type, (event) => this.#note(event));
    }

    #stop() {
        clearTimeout(this.#timer);
        this.#source?.close();
        this.#source = null;
    }

    #retry() {
        this.#stop();
        const wait = Math.min(longestWait, 2 ** this.#failures);
        this.#failures += 1;
        this.tell("broken", wait, this.#failures);
        this.#timer = setTimeout(() => this.reconnect(), wait * 1000);
    }

    /** Asks for a token first if the session has ended: an event source can't tell why it failed. */
    async reconnect() {
        clearTimeout(this.#timer);
        try {
            await get("v1/jobs/counts");
            this.open();
        } catch {
            this.#retry();
        }
    }

    #note(event) {
        let value;
        try {
            value = JSON.parse(event.data);
        } catch {
            return;
        }
        const type = value.type ?? event.type;
        if (!this.#pending) {
            this.#pending = { progress: new Map(), started: [], finished: [], counts: null };
            if (document.hidden) setTimeout(() => this.#flush(), 1000);
            else requestAnimationFrame(() => this.#flush());
        }
        if (type === "progress") this.#pending.progress.set(value.job, value);
        else if (type === "started") this.#pending.started.push(value);
        else if (type === "finished") this.#pending.finished.push(value);
        else if (type === "counts") this.#pending.counts = value;
    }

    #flush() {
        const batch = this.#pending;
        this.#pending = null;
        if (batch) this.take(batch);
    }
}
