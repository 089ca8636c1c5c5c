import {
  Button,
  failureText,
  formatBytes,
  formatCount,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
  useAct,
} from "@atrium/plugin-sdk/ui";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { KeptAnswer } from "../../backend/wire.ts";
import { purgeCache } from "../calls.ts";
import { texts } from "../texts.ts";

const right = "text-right";
const columns = [
  { name: texts.address },
  { name: texts.hits, look: right },
  { name: texts.memory, look: right },
  { name: texts.age, look: right },
  { name: texts.purge, look: right },
];

type KeptTableProps = { api: WindowApi; kept: readonly KeptAnswer[]; onPurged: () => void };

/** The kept answers, those that are asked for most often first. An address can be there once for each coding. */
export const KeptTable = ({ api, kept, onPurged }: KeptTableProps) => (
  <Table label={texts.kept} isWhole>
    <TableHeader columns={columns} />
    <TableBody>
      {kept.map(({ id, path, hits, bytes, ageSeconds }) => (
        <TableRow key={id}>
          <TableCell className="font-mono text-[0.8125rem]">{path}</TableCell>
          <TableCell className={right}>{formatCount(hits)}</TableCell>
          <TableCell className={right}>{formatBytes(bytes)}</TableCell>
          <TableCell className={right}>{texts.seconds(formatCount(ageSeconds))}</TableCell>
          <TableCell className={right}>
            <PurgeOne api={api} path={path} onPurged={onPurged} />
          </TableCell>
        </TableRow>
      ))}
    </TableBody>
  </Table>
);

const PurgeOne = ({ api, path, onPurged }: Pick<KeptTableProps, "api" | "onPurged"> & { path: string }) => {
  const { act, isBusy, error } = useAct(async () => {
    const { message } = await purgeCache(api, path);
    api.notify(message);
    onPurged();
  });
  return (
    <span className="inline-flex items-center gap-2">
      {error !== null && (
        <span role="alert" className="text-[0.8125rem] text-destructive">
          {failureText(error, texts.purgeFailed)}
        </span>
      )}
      <Button variant="outline" size="sm" isBusy={isBusy} onClick={act} aria-label={texts.purgeOne(path)}>
        {texts.purge}
      </Button>
    </span>
  );
};
