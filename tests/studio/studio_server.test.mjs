// SPDX-FileCopyrightText: 2026 The Vinculum authors
// SPDX-License-Identifier: Apache-2.0

// node studio_server.test.mjs PROGRAM CHROMIUM FOLDER: `vinculum studio` in a real browser: a slider is moved, the file is broken and
// mended; screenshots are left in FOLDER.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chromium } from "playwright-core";

const [program, executablePath, folder] = process.argv.slice(2);
const kSled = `vinculum: 1
name: sled
parameters: { push: 2, drag: 0.5 }
bodies: { sled: { joint: {type: prismatic, axis: x}, mass: 1, inertia: 0 } }
forces: { push: { joint: sled, law: "push - drag*sled'" } }
outputs: { speed: { value: "sled'", require: "< 2 m/s" } }
initial: { sled: 1 m }
`;

test("numbers are changed by sliders, mistakes are told and mended", async () => {
  mkdirSync(folder, { recursive: true });
  const model = join(folder, "sled.yaml");
  writeFileSync(model, kSled);
  const server = spawn(program, ["studio", model, "--port", "0", "--run", "--until 2"], { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((done) => server.on("exit", done));
  const address = await new Promise((found, failed) => {
    server.stdout.on("data", (text) => found(/http:[^ ]+/.exec(String(text))[0]));
    server.stderr.on("data", (text) => failed(new Error(String(text))));
  });
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: ["--no-sandbox", "--disable-background-networking", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(error.stack));
    page.on("request", (request) => request.url().startsWith(address) || /^(data|blob):/.test(request.url()) || troubles.push(request.url()));
    await page.goto(address);
    const report = page.frameLocator("#report");
    await report.locator("html[data-ready=true]").waitFor();
    assert.equal(await page.locator("#name").textContent(), "sled");
    // 2 (1 - exp(-0.5 t))/0.5 passes 2 m/s at t = 1.386 s.
    assert.match(await report.locator(".card.violated h3").first().textContent(), /speed/);
    await page.screenshot({ path: join(folder, "studio.png") });

    // With half the push it does not.
    await page.locator('.row:has-text("push") input[type=range]').evaluate((slider) => {
      slider.value = "1";
      slider.dispatchEvent(new Event("input"));
    });
    await report.locator("html[data-ready=true]").waitFor();
    await report.locator(".card.violated").waitFor({ state: "detached" });
    assert.match(await page.locator("#command").textContent(), /--set push=1$/);

    // A mistake in the file stands above the last page, and is gone when it is mended; what was set stays.
    writeFileSync(model, kSled.replace("mass: 1", "mas: 1"));
    await page.locator("#messages .error").waitFor();
    assert.match(await page.locator("#messages").textContent(), /:4:\d+: error: body 'sled': unknown key 'mas'[\s\S]*did you mean 'mass'/);
    await page.screenshot({ path: join(folder, "studio-mistake.png") });
    writeFileSync(model, kSled);
    await page.locator("#messages").waitFor({ state: "hidden" });
    assert.match(await page.locator("#command").textContent(), /--set push=1$/);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.screenshot({ path: join(folder, "studio-phone.png") });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(troubles, []);
  } finally {
    await browser.close();
    server.kill("SIGINT");
  }
  assert.equal(await ended, 0);
});
