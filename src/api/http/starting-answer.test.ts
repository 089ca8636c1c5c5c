import { expect, test } from "bun:test";
import { startingAnswer } from "./starting-answer.ts";

test("until requests are let in the server says that it is alive, and to everything else that it starts", async () => {
  const at = (path: string) => startingAnswer(new Request(`http://localhost:3000${path}`));
  expect(await at("/api/health").json()).toEqual({ success: true, status: "alive" });
  for (const path of ["/api/ready", "/", "/api/auth/user?x=1"]) {
    const answer = at(path);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toMatchObject({
      success: false,
      code: "STARTING",
      data: { status: "starting" },
    });
  }
});

test("H2: what is no address at all is answered like everything else", async () => {
  for (const url of ["http://x:99999/%zz", "http://[bad/", "http://localhost//x"]) {
    const answer = startingAnswer({ url });
    expect([url, answer.status, (await answer.json()).code]).toEqual([url, 503, "STARTING"]);
  }
});
