// The list of jobs: pages, filters, live rows, stills.

import { call, get, jobPath, listOf, mediaPath } from "./api.js";
import {
    $, ask, button, emptyState, foreign, h, icon, iconButton, mark, notice, percent, refreshTimes,
    report, sourceName, sourcesOf, span, times, visible, when, whole, write,
} from "./dom.js";

const pageSize = 50;
const refreshSeconds = 2;
const mostActive = 8;

const groups = [
    { key: "all", label: "All", states: [] },
    { key: "running", label: "Running", states: ["running"] },
    { key: "waiting", label: "Waiting", states: ["queued", "scheduled"] },
    { key: "done", label: "Done", states: ["succeeded", "cached"] },
    { key: "failed", label: "Failed", states: ["failed", "quarantined"] },
    { key: "cancelled", label: "Cancelled", states: ["cancelled"] },
];

export const looks = {
    queued: ["Queued", "clock", "waiting"], scheduled: ["Scheduled", "clock", "waiting"],
    running: ["Running", "play", "running"], succeeded: ["Done", "check", "done"],
    cached: ["From the cache", "check", "done"], failed: ["Failed", "alert", "failed"],
    cancelled: ["Cancelled", "cancel", "cancelled"],
    quarantined: ["Quarantined", "alert", "failed"],
};
const phases = {
    fetch: "Fetching", analyse: "Analysing", encode: "Encoding", finish: "Finishing",
    verify: "Verifying",
};

/** What a control needs that changes a job. */
export const needsSubmit = { "data-needs": "submit" };

export const hasEnded = (job) => !["queued", "scheduled", "running"].includes(job.state);
export const hasOutput = (job) => job.state === "succeeded" || job.state === "cached";
export const canRetry = (job) => ["failed", "cancelled", "quarantined"].includes(job.state);

export function badge(state) {
    const [label, glyph, look] = looks[state] ?? [state, "clock", "waiting"];
    return h("span", { class: `badge ${look}` }, icon(glyph), h("span", {}, label));
}

/** "Encoding 62 %" and "3.1×, 0:42 left". */
export function progressWords(progress) {
    const { phase, fraction, speed, eta } = progress ?? {};
    const rest = [
        Number.isFinite(speed) ? times(speed) : null,
        Number.isFinite(eta) ? `${span(eta)} left` : null,
    ].filter(Boolean).join(", ");
    return [`${phases[phase] ?? "Starting"} ${Number.isFinite(fraction) ? percent(fraction) : ""}`.trim(), rest];
}

export function progressBar(label) {
    const fill = h("div", { class: "fill" });
    const bar = h("div", {
        class: "bar", role: "progressbar", "aria-label": label, "aria-valuemin": 0, "aria-valuemax": 100,
    }, fill);
    return {
        element: bar,
        set(fraction) {
            const known = Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0;
            mark(bar, "aria-valuenow", Math.floor(known * 100));
            fill.style.transform = `scaleX(${known})`;
        },
    };
}

/** Cancels a job after asking, if it runs. */
export async function cancelJob(job) {
    const name = sourceName(job.source);
    if (job.state === "running" && !(await ask("Cancel this export?", `Work on ${name} stops. Nothing is kept of it.`, "Cancel export"))) {
        return null;
    }
    return act(() => call("DELETE", jobPath(job.id)), `${name} is being cancelled.`);
}

export const retryJob = (job) =>
    act(() => call("POST", jobPath(job.id, "/retry")), `${sourceName(job.source)} waits for another try.`);

export async function act(work, done) {
    try {
        const answer = await work();
        notice(done);
        return answer ?? true;
    } catch (problem) {
        report(problem);
        return null;
    }
}

/** Draws a still of an output when its row is in sight; two at a time, and each is loaded once. */
class Stills {
    #drawn = new Map();
    #queue = [];
    #busy = 0;
    #watch = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
            if (!isIntersecting) continue;
            this.#watch.unobserve(target);
            this.#queue.push(target);
        }
        this.#next();
    }, { rootMargin: "100px" });

    want(box, job) {
        if (navigator.connection?.saveData || /\.m4a$/i.test(job.output ?? "")) return;
        box.dataset.still = job.id;
        this.#watch.observe(box);
    }

    #next() {
        while (this.#busy < 2 && this.#queue.length) {
            const box = this.#queue.pop();
            if (box.isConnected) this.#draw(box, box.dataset.still);
        }
    }

    async #draw(box, id) {
        this.#busy += 1;
        const image = this.#drawn.get(id) ?? (await still(`${mediaPath(id)}?preview=true`).catch(() => null));
        this.#busy -= 1;
        this.#drawn.set(id, image);
        if (this.#drawn.size > 300) this.#drawn.delete(this.#drawn.keys().next().value);
        if (image && box.dataset.still === id) {
            const canvas = h("canvas", { width: image.width, height: image.height });
            canvas.getContext("2d").drawImage(image, 0, 0);
            box.replaceChildren(canvas);
        }
        this.#next();
    }
}

/** Loads one picture of a video, a tenth into it, and lets the video go. */
function still(address) {
    const video = h("video", { muted: true, preload: "metadata" });
    const ended = (resolve, reject) => {
        const timer = setTimeout(reject, 8000);
        video.onerror = reject;
        video.onloadedmetadata = () => {
            if (!video.videoWidth) return reject();
            video.currentTime = Math.min(video.duration / 10, 10) || 0;
        };
        video.onseeked = () => {
            clearTimeout(timer);
            const scale = Math.min(1, 192 / video.videoWidth);
            const size = { width: Math.round(video.videoWidth * scale), height: Math.round(video.videoHeight * scale) };
            const canvas = new OffscreenCanvas(size.width || 1, size.height || 1);
            canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
            resolve(canvas.transferToImageBitmap());
        };
        video.src = address;
    };
    return new Promise(ended).finally(() => {
        video.onerror = null;
        video.removeAttribute("src");
        video.load();
    });
}

const stills = new Stills();

class JobRow {
    #shown = {};

    constructor(job, open, play) {
        this.job = job;
        const name = sourceName(job.source);
        this.thumb = h("div", { class: "thumb", "aria-hidden": "true" }, icon("results"));
        this.badge = h("span");
        this.detail = h("span", { class: "job-detail" });
        this.bar = progressBar(`Progress of ${name}`);
        this.actions = h("div", { class: "job-actions" });
        this.note = h("p", { class: "job-note" });
        this.time = h("span", { class: "job-time" });
        this.play = play;
        const title = h("button", { type: "button", class: "job-title", title: visible(sourcesOf(job.source).join("\n")), onclick: () => open(job.id) }, h("bdi", {}, name));
        this.element = h(
            "li", { class: "job", "data-id": job.id }, this.thumb,
            h("div", { class: "job-main" }, title,
                h("p", { class: "job-sub" }, foreign(job.preset), " · ", foreign(job.id, { class: "mono" }))),
            h("div", { class: "job-status" }, h("div", { class: "job-line" }, this.badge, this.detail), this.bar.element),
            this.time, this.actions, this.note);
        this.element.addEventListener("click", (event) => {
            if (!event.target.closest("button, a") && !String(getSelection())) open(this.job.id);
        });
        this.update(job);
    }

    update(job) {
        this.job = job;
        const running = job.state === "running";
        if (this.#shown.state !== job.state) {
            this.element.dataset.state = job.state;
            this.bar.element.hidden = !running;
            this.badge.replaceChildren(badge(job.state));
            this.actions.replaceChildren(...this.#buttons(job));
            if (hasOutput(job)) stills.want(this.thumb, job);
        }
        const stamp = job.finishedAt ?? job.startedAt ?? job.createdAt;
        if (this.#shown.stamp !== stamp) this.time.replaceChildren(when(stamp));
        const start = job.state === "scheduled" ? job.runAt : null;
        if (this.#shown.start !== start && start) this.detail.replaceChildren("starts ", when(start));
        this.#shown = { state: job.state, stamp, start };
        const note = job.state === "running" || hasOutput(job) ? "" : visible(job.error?.message ?? job.note ?? "");
        write(this.note, note);
        this.note.hidden = !note;
        if (running) this.progress(job.progress);
        else if (!start) write(this.detail, "");
    }

    progress(progress) {
        const [phase, rest] = progressWords(progress);
        write(this.badge.querySelector(".badge > span"), phase);
        write(this.detail, rest);
        this.bar.set(progress?.fraction);
    }

    #buttons(job) {
        const name = sourceName(job.source);
        const list = [];
        if (hasOutput(job)) list.push(iconButton("play", `Play ${name}`, () => this.play(this.job)));
        if (canRetry(job)) list.push(iconButton("retry", `Try ${name} again`, () => retryJob(this.job), needsSubmit));
        if (!hasEnded(job)) list.push(iconButton("cancel", `Cancel ${name}`, () => cancelJob(this.job), needsSubmit));
        return list;
    }
}

/** Rows of one list, by the ids of their jobs. */
class Rows {
    #rows = new Map();
    order = [];

    constructor(list, tools) {
        this.list = list;
        this.tools = tools;
    }

    get(id) {
        return this.#rows.get(id);
    }

    put(jobs) {
        for (const job of jobs) {
            const row = this.#rows.get(job.id);
            if (row) row.update(job);
            else this.#rows.set(job.id, new JobRow(job, this.tools.open, this.tools.play));
        }
    }

    /** Shows these, in this order; rows that stay keep their elements, and so the focus. */
    lay(order) {
        this.order = order;
        const wanted = new Set(order);
        for (const [id, row] of this.#rows) {
            if (wanted.has(id)) continue;
            row.element.remove();
            this.#rows.delete(id);
        }
        let place = this.list.firstElementChild;
        for (const id of order) {
            const { element } = this.#rows.get(id);
            if (element === place) place = place.nextElementSibling;
            else this.list.insertBefore(element, place);
        }
    }

    take({ progress, finished }) {
        for (const [id, value] of progress) {
            const row = this.#rows.get(id);
            if (!row || hasEnded(row.job)) continue;
            row.job.progress = value;
            if (row.job.state === "running") row.progress(value);
            else row.update({ ...row.job, state: "running" });
        }
        for (const { job: id, status, error, output } of finished) {
            const row = this.#rows.get(id);
            row?.update({
                ...row.job, state: status, error: error ?? null, output: output ?? row.job.output,
                progress: null, finishedAt: new Date().toISOString(),
            });
        }
    }
}

export class JobList {
    #next = null;
    #group = groups[0];
    #counts = {};
    #asked = 0;
    #refreshTimer = 0;
    #lastRefresh = 0;

    constructor(tools) {
        this.listen = tools.listen;
        this.rows = new Rows($("#jobs"), tools);
        this.active = new Rows($("#jobs-active"), tools);
        this.state = $("#jobs-state");
        this.chips = groups.map((group) => {
            const count = h("span", { class: "count" });
            const chip = h("button", {
                type: "button", class: `chip ${group.key}`, "aria-pressed": String(group === this.#group),
                onclick: () => this.#choose(group),
            }, group.label, " ", count);
            return { group, count, chip };
        });
        $("#filters").append(...this.chips.map(({ chip }) => chip));
        $("#jobs-more").addEventListener("click", () => this.#more());
        let typing = 0;
        $("#find").addEventListener("input", () => {
            clearTimeout(typing);
            typing = setTimeout(() => this.load(), 250);
        });
        $("#find-preset").addEventListener("change", () => this.load());
    }

    get #isFiltered() {
        return this.#group.states.length > 0 || $("#find").value !== "" || $("#find-preset").value !== "";
    }

    #choose(group) {
        this.#group = group;
        for (const each of this.chips) mark(each.chip, "aria-pressed", String(each.group === group));
        this.load();
    }

    #address(after) {
        const query = new URLSearchParams();
        for (const state of this.#group.states) query.append("state", state);
        const text = $("#find").value.trim();
        if (text) query.set("find", text);
        if ($("#find-preset").value) query.set("preset", $("#find-preset").value);
        query.set("limit", pageSize);
        if (after) query.set("after", after);
        return `v1/jobs?${query}`;
    }

    /** The first page, and what runs now: without a filter that comes first. */
    async #read() {
        const pages = [get(this.#address())];
        if (!this.#isFiltered) pages.push(get(`v1/jobs?state=running&limit=${mostActive}`));
        const [page, active] = await Promise.all(pages);
        return { page, active: listOf(active, "jobs") };
    }

    /** Loads the first page anew, after a change of the filter. */
    async load() {
        const asked = ++this.#asked;
        const { list } = this.rows;
        list.setAttribute("aria-busy", "true");
        try {
            const answer = await this.#read();
            if (asked !== this.#asked) return;
            this.#take(answer);
            scrollTo({ top: 0 });
        } catch (problem) {
            if (asked !== this.#asked) return;
            this.rows.lay([]);
            this.#showActive([]);
            $("#jobs-more").hidden = true;
            this.state.replaceChildren(emptyState(
                "The jobs can't be shown", visible(problem.message),
                button("Try again", () => this.load())));
        } finally {
            if (asked === this.#asked) list.setAttribute("aria-busy", "false");
        }
        try {
            this.#showCounts(await get("v1/jobs/counts"));
        } catch {
            // The banner tells that the server is away; the counts come with the next event.
        }
    }

    #showCounts(counts) {
        this.#counts = counts.counts ?? counts;
        const of = (states) => states.reduce((sum, state) => sum + (this.#counts[state] ?? 0), 0);
        for (const { group, count } of this.chips) {
            const jobs = of(group.states.length ? group.states : Object.keys(looks));
            write(count, whole(jobs));
            mark(count, "data-none", jobs ? null : "");
        }
        this.listen({ running: this.#counts.running ?? 0 });
    }

    #showActive(jobs) {
        this.active.put(jobs);
        this.active.lay(jobs.map((job) => job.id));
        $("#active").hidden = !jobs.length;
        // A job is in one of the two lists.
        const above = new Set(this.active.order);
        for (const id of this.rows.order) this.rows.get(id).element.hidden = above.has(id);
        this.rows.list.hidden = this.rows.order.every((id) => above.has(id));
    }

    /** Shows a first page; what was loaded after it stays if it still joins. */
    #take({ page, active }, keepsTail = false) {
        const jobs = listOf(page, "jobs");
        const ids = jobs.map((job) => job.id);
        const known = new Set(ids);
        const end = keepsTail && ids.length ? this.rows.order.indexOf(ids.at(-1)) : -1;
        const tail = end < 0 ? [] : this.rows.order.slice(end + 1).filter((id) => !known.has(id));
        if (!tail.length) this.#next = page.next ?? null;
        this.rows.put(jobs);
        performance.mark("jobs");
        this.#lay([...ids, ...tail]);
        this.#showActive(active);
    }

    #lay(order) {
        this.rows.lay(order);
        $("#jobs-more").hidden = !this.#next;
        this.state.replaceChildren(...(order.length ? [] : [this.#emptiness()]));
    }

    async #more() {
        const more = $("#jobs-more");
        more.disabled = true;
        const asked = this.#asked;
        try {
            const page = await get(this.#address(this.#next));
            if (asked !== this.#asked) return;
            const jobs = listOf(page, "jobs");
            const ids = jobs.map((job) => job.id);
            const known = new Set(ids);
            this.#next = page.next ?? null;
            this.rows.put(jobs);
            this.#lay([...this.rows.order.filter((id) => !known.has(id)), ...ids]);
            $(".job-title", this.rows.get(ids[0])?.element)?.focus({ preventScroll: true });
        } catch (problem) {
            report(problem);
        } finally {
            more.disabled = false;
        }
    }

    #emptiness() {
        if (!this.#isFiltered) {
            return emptyState(
                "No jobs yet", "Export an address or a file. Jobs of the command line and of watched folders show up here, too.",
                button("New export", () => $("#new-export").click(), { look: "primary", glyph: "plus" }));
        }
        const text = $("#find").value.trim();
        return emptyState("No such jobs", text
            ? "Search compares beginnings: of the id, and of the first source's address, path and file name."
            : "No job matches what is chosen above.", button("Show all jobs", () => {
            $("#find").value = "";
            $("#find-preset").value = "";
            this.#choose(groups[0]);
        }));
    }

    /** Takes what a frame's events say; a change that the list lacks makes it ask again, soon. */
    take(batch) {
        this.rows.take(batch);
        this.active.take(batch);
        const before = JSON.stringify(this.#counts);
        if (batch.counts) this.#showCounts(batch.counts);
        const isNew = batch.started.some(({ job }) => this.rows.get(job)?.job.state !== "running");
        if (isNew || batch.finished.length || before !== JSON.stringify(this.#counts)) this.refreshSoon();
    }

    /** Brings the first page up to date, at most every two seconds. */
    refreshSoon() {
        if (this.#refreshTimer) return;
        const wait = Math.max(200, refreshSeconds * 1000 - (Date.now() - this.#lastRefresh));
        this.#refreshTimer = setTimeout(async () => {
            const asked = this.#asked;
            try {
                const answer = await this.#read();
                if (asked === this.#asked) this.#take(answer, true);
            } catch {
                // The stream of events tells when the server is away.
            }
            this.#lastRefresh = Date.now();
            this.#refreshTimer = 0;
        }, wait);
    }

    tick() {
        refreshTimes($("#view-jobs"));
    }

    /** Moves the focus to the next or previous job. */
    step(by) {
        const titles = [...document.querySelectorAll("#view-jobs .job-title")];
        const here = titles.indexOf(document.activeElement?.closest(".job")?.querySelector(".job-title"));
        titles.at(Math.min(titles.length - 1, Math.max(0, here + by)))?.focus();
    }
}
