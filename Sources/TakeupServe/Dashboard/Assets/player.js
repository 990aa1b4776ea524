// An output beside its source, in step.

import { call, mediaPath } from "./api.js";
import { $, button, fillDialog, h, icon, iconButton, mark, sourceName, sourcesOf, span, visible, write } from "./dom.js";
import { sentFiles } from "./upload.js";

/** Where a browser can read a source; else why it can't. */
async function sourceAddress(job) {
    const first = sourcesOf(job.source)[0] ?? "";
    const sent = sentFiles.get(first);
    if (sent) return { address: URL.createObjectURL(sent) };
    if (!/^https?:/.test(first)) return { why: "The source is a file on the server." };
    if (first.endsWith("?…")) return { why: "The source's address has a secret part, which the server keeps to itself." };
    try {
        const { pathname, search } = new URL((await call("POST", "v1/proxy", { url: first })).url, document.baseURI);
        return { address: pathname + search };
    } catch (problem) {
        return { why: visible(problem.message) };
    }
}

const mostDriftSeconds = 0.25;

export class Player {
    #job = null;
    #offset = 0;
    #blobs = [];

    constructor() {
        this.dialog = $("#player");
        this.dialog.addEventListener("close", () => this.#end());
        this.dialog.addEventListener("keydown", (event) => this.#key(event));
    }

    async open(job) {
        this.#end();
        this.#job = job;
        this.#offset = Number(job.spec?.start ?? 0) || 0;
        this.#build(job);
        this.dialog.showModal();
        this.playButton.focus();
        const found = await sourceAddress(job);
        if (this.#job !== job) return;
        if (found.address) this.#setSource(found.address);
        else this.#lackSource(found.why);
    }

    #build(job) {
        this.output = h("video", { playsinline: true, preload: "auto", src: mediaPath(job.id, job.output), "aria-label": "Output" });
        this.source = h("video", { playsinline: true, preload: "auto", "aria-label": "Source" });
        this.source.muted = true;
        this.sourceNote = h("p", { class: "video-note", role: "status" }, "Looking for the source");
        this.outputNote = h("p", { class: "video-note", role: "alert", hidden: true });
        this.stage = h(
            "div", { class: "stage" },
            h("figure", { class: "of-source" }, h("div", { class: "screen" }, this.source, this.sourceNote), h("figcaption", {}, "Source")),
            h("figure", { class: "of-output" }, h("div", { class: "screen" }, this.output, this.outputNote), h("figcaption", {}, "Output")));
        this.playButton = button("Play", () => this.#toggle(), { look: "primary play", glyph: "play" });
        this.seek = h("input", { type: "range", min: 0, max: 0, step: "any", value: 0, "aria-label": "Position", disabled: true });
        this.time = h("span", { class: "time" }, "0:00 / –");
        this.wipe = h("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": "Where the source ends and the output begins" });
        const choice = (name, label, options, act) => h(
            "fieldset", { class: "segments" }, h("legend", {}, label), options.map(([value, text], index) => h(
                "label", {}, h("input", { type: "radio", name, value, checked: index === 0, onchange: () => act(value) }), h("span", {}, text))));
        this.layouts = choice("layout", "View", [["beside", "Side by side"], ["wipe", "Wipe"]], (value) => this.#layout(value));
        this.sounds = choice("sound", "Sound", [["output", "Output"], ["source", "Source"], ["none", "Off"]], (value) => {
            this.output.muted = value !== "output";
            this.source.muted = value !== "source";
        });
        this.wipeRow = h("label", { class: "wipe-row", hidden: true }, h("span", {}, "Wipe"), this.wipe);
        fillDialog(
            this.dialog, h("header", {}, h("h2", { id: "player-title" }, h("bdi", {}, sourceName(job.source))),
                iconButton("cancel", "Close", () => this.dialog.close())),
            this.stage, this.wipeRow,
            h("div", { class: "transport" }, this.playButton, this.seek, this.time),
            h("div", { class: "choices" }, this.layouts, this.sounds, this.#chooser()));
        this.#wire();
    }

    #chooser() {
        this.choose = h("input", { type: "file", accept: "video/*,audio/*", class: "hidden", id: "own-source" });
        this.choose.addEventListener("change", () => {
            const [file] = this.choose.files;
            if (!file) return;
            sentFiles.set(sourcesOf(this.#job.source)[0], file);
            this.#setSource(URL.createObjectURL(file));
        });
        return h("div", { class: "chooser", hidden: true }, this.choose,
            h("label", { for: "own-source", class: "as-button" }, icon("folders"), "Choose the source on this computer"));
    }

    #wire() {
        const { output, source } = this;
        output.addEventListener("loadedmetadata", () => {
            this.seek.max = output.duration;
            this.seek.disabled = false;
            this.stage.classList.toggle("sound-only", !output.videoWidth);
            this.#tell();
        });
        output.addEventListener("error", () => {
            this.outputNote.hidden = false;
            write(this.outputNote, "The output can't be played here: it is no longer in the cache, or the browser lacks its codec.");
        });
        source.addEventListener("error", () => source.hasAttribute("src") && this.#lackSource("The browser can't play this source."));
        source.addEventListener("loadedmetadata", () => this.#follow(true));
        for (const type of ["play", "pause", "ended"]) output.addEventListener(type, () => this.#showState());
        output.addEventListener("timeupdate", () => this.#tell());
        output.addEventListener("seeking", () => this.#follow(true));
        // What one of them waits for, the other waits for, too.
        output.addEventListener("waiting", () => source.pause());
        output.addEventListener("playing", () => this.#follow(true));
        this.seek.addEventListener("input", () => (output.currentTime = Number(this.seek.value)));
        this.wipe.addEventListener("input", () => this.stage.style.setProperty("--wipe", `${this.wipe.value}%`));
    }

    #setSource(address) {
        if (address.startsWith("blob:")) this.#blobs.push(address);
        this.sourceNote.hidden = true;
        this.source.src = address;
        this.#follow(true);
    }

    #lackSource(why) {
        this.source.removeAttribute("src");
        this.sourceNote.hidden = false;
        write(this.sourceNote, why);
        $(".chooser", this.dialog).hidden = false;
    }

    #layout(value) {
        this.stage.classList.toggle("wipe", value === "wipe");
        this.stage.style.setProperty("--wipe", `${this.wipe.value}%`);
        this.wipeRow.hidden = value !== "wipe";
    }

    #toggle() {
        if (!this.output.paused) return this.output.pause();
        if (this.output.ended) this.output.currentTime = 0;
        this.output.play().catch(() => null);
    }

    #showState() {
        const playing = !this.output.paused && !this.output.ended;
        this.playButton.replaceChildren(icon(playing ? "pause" : "play"), playing ? "Pause" : "Play");
        this.#follow(true);
    }

    #tell() {
        const { currentTime, duration } = this.output;
        if (this.seek !== document.activeElement || !this.output.seeking) this.seek.value = currentTime;
        mark(this.seek, "aria-valuetext", `${span(currentTime)} of ${span(duration)}`);
        write(this.time, `${span(currentTime)} / ${span(duration)}`);
        this.#follow(false);
    }

    /** Keeps the source at the output's place: small drifts by speed, large ones by a seek. */
    #follow(isJump) {
        const { output, source } = this;
        if (source.readyState < 1) return;
        const wanted = Math.min(output.currentTime + this.#offset, source.duration || Infinity);
        const drift = wanted - source.currentTime;
        const isPlaying = !output.paused && !output.ended;
        if (Math.abs(drift) > (isJump && !isPlaying ? 0.01 : mostDriftSeconds) && !source.seeking) {
            source.currentTime = wanted;
        }
        source.playbackRate = isPlaying && Math.abs(drift) > 0.03 ? 1 + Math.max(-0.1, Math.min(0.1, drift)) : 1;
        if (isPlaying && source.paused && !source.ended) source.play().catch(() => null);
        if (!isPlaying && !source.paused) source.pause();
    }

    #key(event) {
        if (event.target.matches("input[type=range], input[type=radio]")) return;
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by) this.output.currentTime = Math.max(0, this.output.currentTime + by);
        else if (event.key === " " && !event.target.matches("button, label, a")) this.#toggle();
        else return;
        event.preventDefault();
    }

    #end() {
        this.#job = null;
        for (const video of [this.output, this.source]) {
            video?.pause();
            video?.removeAttribute("src");
            video?.load();
        }
        this.#blobs.splice(0).forEach((address) => URL.revokeObjectURL(address));
        fillDialog(this.dialog);
    }
}
