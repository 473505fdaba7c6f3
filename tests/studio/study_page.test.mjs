// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// node study_page.test.mjs DEMO CHROMIUM FOLDER: opens the pages of studies that DEMO writes into FOLDER, does what a reader would
// do, and leaves screenshots there. The studies are formulas: a car in a bend slips where mu R g / v² < 1.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const [demo, executablePath, folder] = process.argv.slice(2);

const written = spawnSync(demo, [folder], { encoding: "utf8" });
assert.equal(written.status, 0, written.stderr);
if (written.stdout.includes("skipped:")) {
  console.log(written.stdout);
  process.exit(0);
}
const { chromium } = await import("playwright-core");

let browser;
before(async () => {
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"];
  browser = await chromium.launch({ executablePath, headless: true, args });
});
after(() => browser.close());

const kWide = { width: 1280, height: 800 };
const kPhone = { width: 390, height: 844 };

// A page in a fresh window; whatever it complains about or asks the network for is noted.
async function open(name, { viewport = kWide, colorScheme = "light" } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, acceptDownloads: true });
  const page = await context.newPage();
  const troubles = [];
  page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
  page.on("pageerror", (error) => troubles.push(error.stack));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || troubles.push(`request: ${request.url()}`));
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
  await page.waitForSelector("html[data-ready=true]");
  await page.locator(".study-figure svg").waitFor();
  return { page, troubles, close: () => context.close() };
}

const view = (page, name) => page.locator(`[data-view=${name}]`).click();
const show = (page, label) => page.getByLabel("show").selectOption({ label });
const figure = (page) => page.locator(".study-figure");
const pointOf = async (page) => (await page.locator(".point").innerText()).replaceAll("−", "-");

// The largest rectangle of a picture is the area of its axes.
async function areaOf(page) {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".study-figure svg > rect[fill=none]")].map((node) => node.getBoundingClientRect());
    const { x, y, width, height } = boxes.sort((a, b) => b.width * b.height - a.width * a.height)[0];
    return { x, y, width, height };
  });
}

async function clickAt(page, x, y) {
  const area = await areaOf(page);
  await page.mouse.click(area.x + x * area.width, area.y + (1 - y) * area.height);
}

// Do no two texts of the picture touch, and does none stand out of it?
const troubleOfTexts = (page) =>
  page.evaluate(() => {
    const frame = document.querySelector(".study-figure svg").getBoundingClientRect();
    const texts = [...document.querySelectorAll(".study-figure svg text")].map((node) => ({
      text: node.textContent,
      box: node.getBoundingClientRect(),
    }));
    const found = [];
    texts.forEach(({ text, box }, i) => {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
        found.push(`clipped: ${text}`);
      for (const other of texts.slice(i + 1)) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (across > 1 && down > 3) found.push(`${text} on ${other.text}`);
      }
    });
    // Nothing of the rest is cut off, either.
    for (const node of document.querySelectorAll("#panel *, .study-tools *, .study-slices *")) {
      const style = getComputedStyle(node);
      const clips = style.overflowX === "hidden" || style.overflowX === "clip";
      if (clips && style.textOverflow !== "ellipsis" && node.scrollWidth > node.clientWidth + 1) found.push(`cut off: ${node.textContent}`);
    }
    return found;
  });

test("a map tells the verdict of every point", async () => {
  const { page, troubles, close } = await open("slip_map");
  assert.match(await page.locator(".shares").innerText(), /9 000 points · 135 failed/);
  // mu = 0.55, speed = 5 of 2 to 20: holds; speed = 19: violated.
  await clickAt(page, 0.5, 0.2);
  assert.match(await pointOf(page), /speed\s+5\.\d+ m\/s\s+radius\s+40 m\s+slips\s+holds/);
  await clickAt(page, 0.5, 0.95);
  assert.match(await pointOf(page), /slips\s+violated/);
  assert.ok(await page.locator(".ring").isVisible());
  // The corner where the runs fail tells why.
  await clickAt(page, 0.03, 0.95);
  assert.match(await pointOf(page), /failed\s+VN-RUN-007 after t = [\d.]+ s: the steps have fallen to 1×10⁻¹²/u);
  assert.deepEqual(troubles, []);
  await close();
});

test("the contour margin = 1 lies where the formula says", async () => {
  const { page, close } = await open("slip_map");
  await show(page, "margin");
  assert.equal(await page.getByLabel("Contour at").inputValue(), "1");
  // Ends of the lines in values: v² = mu R g with R = 40 m.
  const departures = await page.evaluate(() => {
    const path = document.querySelector("path.contour").getAttribute("d");
    const area = [...document.querySelectorAll(".study-figure svg > rect[fill=none]")].at(-1);
    const [left, top, width, height] = ["x", "y", "width", "height"].map((name) => Number(area.getAttribute(name)));
    const halfMu = 0.35 / 59;
    const halfSpeed = 9 / 49;
    return [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => {
      const mu = 0.2 - halfMu + ((Number(x) - left) / width) * (0.7 + 2 * halfMu);
      const speed = 20 + halfSpeed - ((Number(y) - top) / height) * (18 + 2 * halfSpeed);
      return Math.abs(speed - Math.sqrt(mu * 40 * 9.81));
    });
  });
  assert.ok(departures.length > 100);
  assert.ok(Math.max(...departures) < 0.05, String(Math.max(...departures))); // a tenth of a pixel, and the bend within a cell
  await page.getByLabel("Contour at").fill("2");
  await page.getByLabel("Contour at").press("Enter");
  assert.ok((await page.locator("path.contour").getAttribute("d")).length > 100);
  assert.match(await figure(page).innerText(), /margin = 2/);
  await close();
});

test("slices follow the slider, axes are exchanged", async () => {
  const { page, close } = await open("slip_map");
  const before_ = await figure(page).screenshot();
  const slider = page.getByRole("slider", { name: "radius" });
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await figure(page).innerText(), /radius = 80 m/);
  assert.ok(!(await figure(page).screenshot()).equals(before_));
  await clickAt(page, 0.5, 0.5);
  assert.match(await pointOf(page), /radius\s+80 m/);

  await page.getByLabel("x", { exact: true }).first().selectOption({ label: "speed" });
  assert.equal(await page.getByLabel("y", { exact: true }).first().inputValue(), "0", "mu stands on the other axis now");
  await page.getByLabel("y", { exact: true }).first().selectOption({ label: "radius" });
  assert.ok(await page.getByRole("slider", { name: "mu" }).isVisible());
  await close();
});

test("the keyboard reaches every point", async () => {
  const { page, close } = await open("slip_map");
  await figure(page).focus();
  await page.keyboard.press("ArrowRight");
  const valueOf = async (name) => Number(new RegExp(`${name}\\s+([\\d.]+)`).exec(await pointOf(page))[1]);
  const [mu, speed] = [await valueOf("mu"), await valueOf("speed")];
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  assert.ok(Math.abs((await valueOf("mu")) - mu - 0.7 / 59) < 1e-5);
  assert.ok(Math.abs((await valueOf("speed")) - speed - 18 / 49) < 1e-4);
  await page.keyboard.press("Shift+ArrowLeft");
  assert.ok(Math.abs((await valueOf("mu")) - mu + (9 * 0.7) / 59) < 1e-5);
  await close();
});

test("a point tells the command that reproduces it", async () => {
  const { page, close } = await open("slip_map");
  await clickAt(page, 0.001, 0.999);
  assert.equal(
    await page.locator(".command code").textContent(),
    "vinculum simulate car.yaml --set mu=0.2 --set speed=20 --set radius=40 --until 5 --contacts frictional",
  );
  await close();
  // A parameter within the options, and a file that must be quoted.
  const other = await open("ishigami");
  await view(other.page, "scatter");
  await other.page.locator(".study-figure").focus();
  await other.page.keyboard.press("ArrowRight");
  if ((await other.page.locator(".command").count()) === 0) await clickAt(other.page, 0.5, 0.55);
  assert.match(
    await other.page.locator(".command code").textContent(),
    /^vinculum evaluate 'models\/it'\\''s here\.yaml' --set x1=-?[\d.]+ --set x2=-?[\d.]+ --rate -?[\d.e-]+$/,
  );
  assert.match(await other.page.locator("#title").textContent(), /<\/script><b>Ishigami & Homma/);
  await other.close();
});

test("inferred cells are told apart", async () => {
  const { page, close } = await open("refined");
  assert.match(await page.locator(".shares").innerText(), /66 049 points · 64 851 inferred, not run/);
  assert.match(await figure(page).innerText(), /inferred, not run/);
  await clickAt(page, 0.5, 0.9);
  assert.match(await pointOf(page), /inferred from its neighbours, not run/);
  assert.match(await pointOf(page), /margin\s+none/);
  // A cell that was run is stronger than its inferred neighbour.
  const colors = await page.evaluate(async () => {
    const image = new Image();
    image.src = document.querySelector(".study-figure svg image").getAttribute("href");
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const at = (x, y) => [...context.getImageData(x, 256 - y, 1, 1).data];
    return { size: [image.width, image.height], run: at(32, 0), inferred: at(33, 0), violated: at(32, 256) };
  });
  assert.deepEqual(colors.size, [257, 257]);
  assert.notDeepEqual(colors.run, colors.inferred);
  assert.ok(colors.inferred.every((value, k) => value >= colors.run[k]));
  assert.ok(colors.violated[0] > colors.violated[1], "red");
  await show(page, "margin");
  assert.match(await page.locator(".influence").innerText(), /Not available: the points that were run crowd along the boundary/);
  await close();
});

test("a random study tells probabilities and quantiles", async () => {
  const { page, close } = await open("tolerances");
  assert.match(await page.locator(".end").innerText(), /3 000 of 4 000 points are known/);
  assert.match(await page.locator(".shares").innerText(), /violated\s+8\.\d+ % \(95 %: 7\.\d+ to 9\.\d+ %\)/);
  assert.ok((await page.locator(".study-bar").count()) > 20);
  assert.match(await figure(page).innerText(), /50 %: 1\.2\d/);
  assert.equal(await page.locator(".spread tbody tr").count(), 7);
  const names = await page.locator(".influence-row > b").allTextContents();
  assert.equal(names.at(-1), "mass of the car with a rather long name", "what does nothing comes last");
  assert.match(await page.locator(".influence").innerText(), /first-order Sobol index ± standard error/);
  await show(page, "slips");
  assert.match(await figure(page).innerText(), /violated/);
  await close();

  // Beside a grid the points are no sample: no intervals.
  const mixed = await open("mixed");
  assert.doesNotMatch(await mixed.page.locator(".shares").innerText(), /95 %/);
  await view(mixed.page, "curve");
  assert.match(await figure(mixed.page).innerText(), /least to largest/);
  await mixed.close();
});

test("Sobol indices of a known function stand with their errors", async () => {
  const { page, close } = await open("ishigami");
  const text = (await page.locator(".influence").innerText()).replaceAll("−", "-");
  assert.match(text, /from Saltelli's blocks/);
  const exact = { x1: [0.3139, 0.5576], x2: [0.4424, 0.4424], x3: [0, 0.2437] };
  for (const [name, [first, total]] of Object.entries(exact)) {
    const [, s, se, t, te] = new RegExp(`${name}\\s+first\\s+(-?[\\d.]+) ± ([\\d.]+)\\s+total\\s+(-?[\\d.]+) ± ([\\d.]+)`).exec(text);
    assert.ok(Math.abs(s - first) < 4 * se, `${name} ${s}`);
    assert.ok(Math.abs(t - total) < 4 * te, `${name} ${t}`);
  }
  await close();
});

test("one parameter gives a curve with bands", async () => {
  const { page, close } = await open("line");
  assert.equal(await page.locator("[data-view=map]").count(), 0);
  assert.equal(await page.locator(".verdict-band").count(), 3, "holds, violated, failed point, violated");
  await figure(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.match(await pointOf(page), /speed/);
  await page.getByRole("button", { name: "Log" }).click();
  assert.match(await figure(page).innerText(), /0\.5\s/);
  await close();
});

test("what is seen can be saved", async () => {
  const { page, troubles, close } = await open("slip_map");
  const save = async (name) => {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name, exact: true }).click();
    const download = await waiting;
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const svg = await save("SVG");
  assert.equal(svg.name, "Slip-map-of-a-car.svg");
  assert.match(svg.bytes.toString(), /^<svg[\s\S]*speed \[m\/s\][\s\S]*data:image\/png;base64[\s\S]*<\/svg>$/);
  const png = await save("PNG");
  assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
  const { width } = await figure(page).boundingBox();
  assert.equal(png.bytes.readUInt32BE(16), 2 * Math.round(width));
  // Not an empty sheet: the colours of the map are in it.
  const red = await page.evaluate(async (data) => {
    const image = await createImageBitmap(await (await fetch_(data)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data: pixels } = canvas.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4) count += pixels[i] > 180 && pixels[i + 1] < 90;
    return count / (pixels.length / 4);
    function fetch_(text) {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      return Promise.resolve({ blob: () => new Blob([bytes], { type: "image/png" }) });
    }
  }, png.bytes.toString("base64"));
  assert.ok(red > 0.1, String(red));
  const csv = (await save("CSV")).bytes.toString().split("\n");
  assert.equal(csv[0], "point,mu,speed [m/s],radius [m],slips,margin,drift [m],status,code,message");
  assert.equal(csv.length, 9002);
  assert.equal(csv[1], `0,0.2,2,20,holds,${0.2 * 20 * 9.81 / 4},0,done,,`);
  assert.ok(csv.some((row) => /,failed,VN-RUN-007,after t = /.test(row)));
  assert.deepEqual(troubles, []);
  await close();
});

test("a million points are shown and searched", async () => {
  const { page, troubles, close } = await open("million");
  for (const name of ["scatter", "histogram", "curve", "map"]) {
    await view(page, name);
    await page.locator(".study-figure svg").waitFor();
  }
  await clickAt(page, 0.5, 0.1);
  assert.match(await pointOf(page), /Point \d{3} \d{3}[\s\S]*slips\s+holds/);
  assert.deepEqual(troubles, []);
  await page.screenshot({ path: join(folder, "million.png") });
  await close();
});

test("looks well in all windows and both schemes", async () => {
  for (const name of ["slip_map", "refined", "line", "tolerances", "mixed", "ishigami"]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, troubles, close } = await open(name, { colorScheme });
      const views = await page.locator("[data-view]").evaluateAll((nodes) => nodes.map((node) => node.dataset.view));
      const all = await page.getByLabel("show").locator("option").allTextContents();
      const quantities = colorScheme === "light" ? all : all.slice(0, 1); // colours do not move texts
      for (const viewport of [kWide, kPhone]) {
        await page.setViewportSize(viewport);
        for (const shown of views) {
          await view(page, shown);
          for (const quantity of quantities) {
            await show(page, quantity);
            await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            const where = `${name}, ${shown} of ${quantity}, ${viewport.width} ${colorScheme}`;
            assert.deepEqual(await troubleOfTexts(page), [], where);
            const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(overflow <= 0, `${where}: nothing stands out of the window`);
          }
          await show(page, quantities[0]);
          await page.screenshot({ path: join(folder, `${name}-${shown}-${viewport.width}-${colorScheme}.png`) });
        }
      }
      assert.deepEqual(troubles, []);
      await close();
    }
  }
});
