import { expect, test } from "bun:test";
import { closeSideDoors } from "./close-side-doors.ts";

test("what reaches other machines past a content policy is gone, and all else stays", () => {
  const realm = {
    RTCPeerConnection: 1,
    webkitRTCPeerConnection: 1,
    WebTransport: 1,
    fetch: 1,
    MessagePort: 1,
  };
  closeSideDoors(realm);
  expect(Object.keys(realm)).toEqual(["fetch", "MessagePort"]);
});

test("a browser that lets nothing go gets no plugin's page", () => {
  const realm = Object.freeze({ RTCPeerConnection: 1 });
  expect(() => closeSideDoors(realm)).toThrow("This browser does not let go of RTCPeerConnection");
});
