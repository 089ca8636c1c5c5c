import {
  buttonVariants,
  DownloadLink,
  FieldValue,
  formatDate,
  ListPage,
  namesOf,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
} from "#app/ui";
import { addressOf, client } from "./client.ts";
import { noteFields } from "./fields.ts";

/** The notes of all members, for admins. */
export const AllNotesPage = () => (
  <ListPage
    title="Notes"
    load={loadNotes}
    none="No notes yet."
    actions={(_, search) => (
      <DownloadLink
        href={addressOf("exportAll", { search })}
        className={buttonVariants({ variant: "outline", size: "sm" })}
      >
        Export CSV
      </DownloadLink>
    )}
  >
    {(notes) => (
      <Table label="Notes">
        <TableHeader columns={columns} />
        <TableBody>
          {notes.map((note) => (
            <TableRow key={note.id}>
              {names.map((name) => (
                <TableCell key={name} className="max-w-64 truncate">
                  <FieldValue field={noteFields[name]} value={note[name]} />
                </TableCell>
              ))}
              <TableCell>{note.member}</TableCell>
              <TableCell>{formatDate(note.createdAt)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    )}
  </ListPage>
);

const names = namesOf(noteFields);
const columns = [...names.map((name) => noteFields[name].label), "Member", "Created"].map((name) => ({
  name,
}));

const loadNotes = async (wanted: { search: string; limit: number; offset: number }) => {
  const { notes: rows, ...rest } = (await client.listAll(wanted)).data;
  return { rows, ...rest };
};
