import type { BackupState } from "#api/modules/backups/contract.ts";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { Fact } from "../fact.tsx";
import { formatDateTime } from "../format.ts";
import { backupPageTexts as texts } from "./texts.ts";

/** When the last backup was made and the next one is due, and who can open them. */
export const BackupFacts = ({ state: { last, nextAt, proof, schedule } }: { state: BackupState }) => {
  const { length } = schedule.recipients;
  return (
    <Card aria-labelledby="state-title">
      <CardHeader>
        <CardTitle id="state-title">{texts.state}</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[8rem_1fr]">
          <Fact name={texts.last}>{last === null ? texts.never : <Moment iso={last.at} />}</Fact>
          <Fact name={texts.next}>{nextAt === null ? texts.off : <Moment iso={nextAt} />}</Fact>
          <Fact name={texts.proof}>
            {proof === null ? (
              texts.unproven
            ) : (
              <>
                <Moment iso={proof.at} /> · <span className="wrap-anywhere">{proof.name}</span>:{" "}
                {proof.isSound ? texts.sound : texts.unsound}
              </>
            )}
          </Fact>
          <Fact name={texts.lock}>{length === 0 ? texts.open : texts.locked(length)}</Fact>
        </dl>
      </CardContent>
    </Card>
  );
};

const Moment = ({ iso }: { iso: string }) => <time dateTime={iso}>{formatDateTime(iso)}</time>;
