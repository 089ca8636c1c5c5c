import { Alert, TabLinks, useSearchParams } from "@atrium/plugin-sdk/ui";
import { pathOf } from "../place.ts";
import { attackTexts as texts } from "../rule-texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { ExemptionList } from "./exemption-list.tsx";
import { PatternList } from "./pattern-list.tsx";

/** What attacks are told by, and where that is not looked for. */
export const AttacksPage = () => {
  const { api, config } = useFirewall();
  const [params] = useSearchParams();
  const list = params.get("list") === "exemptions" ? "exemptions" : "patterns";
  return (
    <div className="grid grid-cols-1 gap-4">
      {!config.patternsEnabled && <Alert severity="info">{texts.off}</Alert>}
      <TabLinks
        label={texts.lists}
        tabs={texts.tabs}
        current={list}
        addressOf={(name) =>
          api.addressOf(`${pathOf("attacks")}${name === "exemptions" ? "?list=exemptions" : ""}`)
        }
      />
      {list === "patterns" ? <PatternList /> : <ExemptionList />}
    </div>
  );
};
