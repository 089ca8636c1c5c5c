import { expect, test } from "bun:test";
import { createTestHost, jobContext } from "#app/testing";
import { remindMembers } from "./remind-members.ts";

test("a member is reminded of a note that is due, once for each day", async () => {
  const host = await createTestHost();
  const ada = await host.signedIn("user");
  const [day, before] = [0, 1].map((days) =>
    new Date(host.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10),
  );
  const fields = { title: "Pay the rent", body: null, due: day };
  const { data } = await (await ada.call("POST", "/api/sample-notes", fields)).json();
  const remind = async () => {
    await remindMembers(jobContext(host.services));
    return host.mails.filter(({ subject }) => subject === "Due: Pay the rent");
  };
  await remind();
  expect(await remind()).toMatchObject([
    { to: ada.user?.email, text: expect.stringContaining(`/sample-notes/${data.id}`) },
  ]);
  await ada.call("PUT", `/api/sample-notes/${data.id}`, { ...fields, due: before });
  await remind();
  expect(await remind()).toHaveLength(2);
  await host.close();
});
