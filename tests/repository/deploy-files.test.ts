import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { variables } from "#api/config/variables.ts";
import { projectRoot } from "../../scripts/project-root.ts";

const folder = join(projectRoot, "deploy");
const textOf = (name: string): string => readFileSync(join(folder, name), "utf8");

test("every variable that the example for Atrium sets is one that it reads", () => {
  const set = [...textOf("atrium.env.example").matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name);
  const known: readonly string[] = Object.values(variables).map(({ name }) => name);
  expect(set.length).toBeGreaterThan(2);
  expect(set.filter((name) => !known.includes(name ?? ""))).toEqual([]);
});

test("each file of variables has its example, nobody else reads Atrium's, and no example holds a secret", () => {
  const compose = textOf("compose.yaml");
  const files = [...compose.matchAll(/env_file: (\S+)/g)].map(([, file]) => file ?? "");
  for (const file of files) expect(readdirSync(folder)).toContain(`${file}.example`);
  expect(files.filter((file) => file === "atrium.env")).toHaveLength(1);
  for (const file of files)
    expect(textOf(`${file}.example`)).not.toMatch(/^(?:APP_SECRET|POSTGRES_PASSWORD)=./m);
});

test("a start that fails is tried again for ever, with time between, and not where that changes nothing", () => {
  const unit = textOf("atrium.service");
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(unit).toMatch(/^Restart=on-failure$/m);
  expect(Number(/^RestartSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(10);
  expect(unit).toMatch(/^RestartPreventExitStatus=75 78$/m);
});

test("the unit lets plugins' processes filter their own calls, and the engine write code", () => {
  const unit = textOf("atrium.service");
  expect(unit).toMatch(/^SystemCallFilter=.*\bseccomp\b/m);
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute=yes/m);
  expect(unit).toMatch(/^KillMode=mixed$/m);
});
