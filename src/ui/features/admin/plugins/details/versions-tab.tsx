import { useState } from "react";
import type { PluginDetails, PluginVersion } from "#contract/plugins.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { type Column, DataTable } from "#ui/components/ui/table.tsx";
import { client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { formatBytes, formatDateTime } from "../../format.ts";
import { activateVersion, consentWanted, type WantedConsent } from "../api.ts";
import { ConsentSheet } from "../consent/consent-sheet.tsx";
import { consentTexts } from "../consent/permission-list.tsx";
import { detailsTexts, versionsTabTexts as texts } from "./texts.ts";

type VersionsTabProps = { plugin: PluginDetails; onChange: () => void; onReview: (version: string) => void };
type Asked = WantedConsent & { version: string; way: Way };
type Way = "back" | "forward";
type Wish = { kind: Way | "discard"; version: string };

/** The versions that are kept: which is in use, where each comes from, and the way back. */
export const VersionsTab = ({ plugin, onChange, onReview }: VersionsTabProps) => {
  const { name, versions, pendingVersion } = plugin;
  const [wish, setWish] = useState<Wish | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const words = wish === null || wish.kind === "discard" ? null : texts[wish.kind];
  const done = (message: string) => {
    notify({ tone: "success", message });
    setWish(null);
    setAsked(null);
    onChange();
  };
  const activate = async (version: string, agreedTo?: string) =>
    done((await activateVersion(name, version, agreedTo)).message);
  const allow = async ({ version, way, sha256 }: Asked) => {
    try {
      await activate(version, sha256);
    } catch (error) {
      // Another package came meanwhile: the list becomes what that one asks for.
      const wanted = consentWanted(error);
      if (wanted !== null) setAsked({ ...wanted, version, way });
      throw error;
    }
  };
  /** What is not signed always needs consent to run: asking for that is the one question. */
  const choose = (next: Wish) => {
    const kept = versions.find(({ version }) => version === next.version);
    if (next.kind === "discard" || !plugin.enabled || kept?.signature.state !== "unsigned") setWish(next);
    else
      void confirm(next).catch((error) =>
        notify({ tone: "error", message: failureText(error, texts.switchFailed) }),
      );
  };
  const confirm = async ({ kind, version }: Wish) => {
    if (kind === "discard") return done((await client.plugins.discardVersion({ name, version })).message);
    try {
      await activate(version);
    } catch (error) {
      const wanted = consentWanted(error);
      if (wanted === null) throw error;
      setWish(null);
      setAsked({ ...wanted, version, way: kind });
    }
  };
  const columns: readonly Column<PluginVersion>[] = [
    {
      name: texts.version,
      cell: ({ version, isCurrent }) => (
        <span className="flex items-center gap-2 font-medium">
          {version}
          {isCurrent && <Badge tone="success">{texts.current}</Badge>}
          {version === pendingVersion && <Badge tone="warning">{texts.waits}</Badge>}
        </span>
      ),
    },
    { name: texts.origin, cell: originOf },
    { name: texts.size, cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
    { name: texts.uploaded, cell: ({ uploadedAt }) => formatDateTime(uploadedAt) },
    {
      name: texts.actions,
      look: "text-right",
      cell: (kept) => (
        <VersionActions
          kept={kept}
          way={isNewerVersion(kept.version, plugin.version) ? "forward" : "back"}
          isPending={kept.version === pendingVersion}
          onReview={onReview}
          onWish={choose}
        />
      ),
    },
  ];
  return (
    <Card className="min-w-0 overflow-clip">
      <p className="px-5 py-3 text-[0.8125rem] text-muted-foreground">{texts.kept}</p>
      <DataTable
        label={detailsTexts.tabs.versions}
        columns={columns}
        rows={versions}
        keyOf={({ version }) => version}
      />
      {wish !== null && (
        <ConfirmDialog
          open
          onClose={() => setWish(null)}
          title={(words?.title ?? texts.discardTitle)(wish.version)}
          question={words?.text ?? texts.discardText}
          action={words?.action ?? texts.discard}
          isDangerous={words === null}
          fallback={words === null ? texts.discardFailed : texts.switchFailed}
          onConfirm={() => confirm(wish)}
        />
      )}
      {asked !== null && (
        <ConsentSheet
          title={texts[asked.way].title(asked.version)}
          lead={asked.permissions.length > 0 ? consentTexts.enableLead(plugin.title) : consentTexts.readFirst}
          permissions={asked.permissions}
          signature={asked.signature}
          action={texts[asked.way].action}
          fallback={texts.switchFailed}
          onAllow={() => allow(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </Card>
  );
};

const originOf = ({ signature: { state, publisher } }: PluginVersion): string =>
  [detailsTexts.signatures[state], publisher].filter((part) => part !== null).join(", ");

type VersionActionsProps = {
  kept: PluginVersion;
  way: Way;
  isPending: boolean;
  onReview: (version: string) => void;
  onWish: (wish: Wish) => void;
};

const VersionActions = ({
  kept: { version, isCurrent, publisherChanged },
  way,
  isPending,
  onReview,
  onWish,
}: VersionActionsProps) => {
  if (isCurrent) return null;
  if (publisherChanged !== null && !isPending)
    return (
      <Button
        variant="outline"
        size="sm"
        aria-haspopup="dialog"
        aria-label={texts.replaceName(version)}
        onClick={() => onReview(version)}
      >
        {consentTexts.replaceAction}
      </Button>
    );
  return (
    <span className="inline-flex gap-2">
      {isPending ? (
        <>
          <Button variant="outline" size="sm" aria-haspopup="dialog" onClick={() => onReview(version)}>
            {detailsTexts.review}
          </Button>
          <Button
            variant="outline"
            size="sm"
            aria-label={texts.discardName(version)}
            onClick={() => onWish({ kind: "discard", version })}
          >
            {texts.discard}
          </Button>
        </>
      ) : (
        <Button
          variant="outline"
          size="sm"
          aria-label={texts[way].name(version)}
          onClick={() => onWish({ kind: way, version })}
        >
          {texts[way].action}
        </Button>
      )}
    </span>
  );
};

/** Whether a version comes behind another, both as a manifest may tell them: Semantic Versioning 2.0.0, section 11. */
export const isNewerVersion = (version: string, other: string): boolean => {
  const [one, two] = [partsOf(version), partsOf(other)];
  const byNumbers = compareLists(one.numbers, two.numbers);
  if (byNumbers !== 0) return byNumbers > 0;
  // What comes before a release has words behind a hyphen; the release has none.
  if (one.words.length === 0 || two.words.length === 0) return one.words.length < two.words.length;
  return compareLists(one.words, two.words) > 0;
};

const partsOf = (version: string) => {
  const [core = ""] = version.split("+");
  const hyphen = core.indexOf("-");
  return hyphen === -1
    ? { numbers: core.split("."), words: [] }
    : { numbers: core.slice(0, hyphen).split("."), words: core.slice(hyphen + 1).split(".") };
};

const compareLists = (one: readonly string[], two: readonly string[]): number => {
  for (const [at, word] of one.entries()) {
    const other = two[at];
    if (other === undefined) return 1;
    const order = compareWords(word, other);
    if (order !== 0) return order;
  }
  return one.length - two.length;
};

const isNumber = (word: string): boolean => /^\d+$/.test(word);

// Numbers come before words.
const compareWords = (one: string, two: string): number => {
  if (isNumber(one) && isNumber(two)) return Number(one) - Number(two);
  if (isNumber(one) !== isNumber(two)) return isNumber(one) ? -1 : 1;
  if (one === two) return 0;
  return one > two ? 1 : -1;
};
