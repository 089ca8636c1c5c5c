import type { FieldError } from "#contract/errors.ts";
import { ApiError } from "#ui/lib/api.ts";
import { type PageOnShow, pageAddress, type WantedCall } from "./call-plugin.ts";

/** The answer to a call of a frame, by its number: what came, or why nothing did. */
type FrameAnswer = {
  id: number;
  value?: unknown;
  error?: string;
  status?: number;
  errors?: readonly FieldError[];
};

/** What a frame may have done for it. */
export type FrameHandlerOptions = {
  page: PageOnShow;
  call(wanted: WantedCall): Promise<unknown>;
  /** Sends an answer to the frame. */
  answer(message: FrameAnswer): void;
  notify(text: string): void;
  navigate(address: string): void;
  onHeight(px: number): void;
  onMounted(): void;
  /** The reader has done something in the frame. */
  onInput(): void;
  onFailed(message: string): void;
  now?: () => number;
};

const mostNoticeLength = 300;
const mostNotices = 5;
const noticesMs = 10_000;
const mostFailureLength = 500;
const heights = { least: 120, most: 20_000 };

/** Does what a frame asks for, by the messages of its port; what is no such message is passed over. */
export const createFrameHandler = (options: FrameHandlerOptions): ((message: unknown) => void) => {
  const { page, now = Date.now } = options;
  let shownAt: number[] = [];

  const call = async (id: number, args: Args) => {
    try {
      options.answer({
        id,
        value: await options.call({ method: args.method, path: args.path, body: args.body }),
      });
    } catch (error) {
      const { status, errors } = error instanceof ApiError ? error : { status: 0, errors: [] };
      const message = error instanceof Error ? error.message : String(error);
      options.answer({ id, error: message, status, ...(errors.length > 0 && { errors }) });
    }
  };

  const notify = (text: unknown) => {
    shownAt = shownAt.filter((moment) => moment > now() - noticesMs);
    if (typeof text !== "string" || text.trim() === "" || shownAt.length >= mostNotices) return;
    shownAt.push(now());
    options.notify(text.slice(0, mostNoticeLength));
  };

  const navigate = (path: unknown) => {
    const address = typeof path === "string" ? pageAddress(page, path) : null;
    if (address === null) console.warn(`${page.plugin} wanted to lead out of its own page`);
    else options.navigate(address);
  };

  return (message) => {
    const { id, op, args } = readMessage(message);
    if (op === "call" && typeof id === "number") void call(id, args);
    if (op === "notify") notify(args.text);
    if (op === "navigate") navigate(args.path);
    if (op === "mounted") options.onMounted();
    if (op === "input") options.onInput();
    if (op === "failed") options.onFailed(String(args.message).slice(0, mostFailureLength));
    if (op === "height" && typeof args.px === "number" && Number.isFinite(args.px))
      options.onHeight(Math.min(Math.max(Math.ceil(args.px), heights.least), heights.most));
  };
};

type Args = Record<string, unknown>;

const readMessage = (message: unknown): { id: unknown; op: unknown; args: Args } => {
  const { id, op, args } = fieldsOf(message);
  return { id, op, args: fieldsOf(args) };
};

const fieldsOf = (value: unknown): Args =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
