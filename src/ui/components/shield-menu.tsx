import { ShieldCheck, ShieldOff } from "lucide-react";
import { client, failureText } from "#ui/lib/api.ts";
import { clockTime } from "#ui/lib/moments.ts";
import { notify } from "#ui/lib/notices.ts";
import { askSessionAgain } from "../lib/session.ts";
import { DropdownMenu, DropdownMenuItem, DropdownMenuLabel } from "./ui/dropdown-menu.tsx";

/** The sign that the session is confirmed, with what ends that. */
export const ShieldMenu = ({ untilMs }: { untilMs: number }) => {
  const label = shieldTexts.until(clockTime(untilMs));
  return (
    <DropdownMenu
      label={label}
      trigger={<ShieldCheck aria-hidden="true" className="size-4.5" />}
      triggerClassName="grid size-11 cursor-pointer place-items-center rounded-md text-success transition-colors hover:bg-accent md:size-9"
      className="w-56"
    >
      <DropdownMenuLabel>{label}</DropdownMenuLabel>
      <DropdownMenuItem onClick={() => void end()}>
        <ShieldOff aria-hidden="true" />
        {shieldTexts.end}
      </DropdownMenuItem>
    </DropdownMenu>
  );
};

const end = async (): Promise<void> => {
  try {
    const { message } = await client.account.endConfirmation();
    notify({ tone: "success", message });
    askSessionAgain();
  } catch (error) {
    notify({ tone: "error", message: failureText(error, shieldTexts.failed) });
  }
};

/** Words of the sign. */
export const shieldTexts = {
  until: (time: string) => `Confirmed until ${time}`,
  end: "End now",
  failed: "The confirmation could not be ended. Please try again.",
} as const;
