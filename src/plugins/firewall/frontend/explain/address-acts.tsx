import { Button } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import { AddressDialog } from "../addresses/address-dialog.tsx";
import { BanDialog } from "../bans/ban-dialog.tsx";
import { explainTexts as texts } from "../texts.ts";

/** What can be done about the address that a request came from. */
export const AddressActs = ({ address, id }: { address: string; id: string }) => {
  const [opened, setOpened] = useState<"allow" | "ban" | null>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpened("allow")}>
        {texts.allow}
      </Button>
      <Button variant="outline" size="sm" onClick={() => setOpened("ban")}>
        {texts.ban}
      </Button>
      {opened === "allow" && (
        <AddressDialog
          start={{ kind: "allow", range: address, note: texts.fromRequest(id) }}
          onClose={close}
        />
      )}
      {opened === "ban" && <BanDialog address={address} note={texts.fromRequest(id)} onClose={close} />}
    </>
  );
};
