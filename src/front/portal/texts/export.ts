/** The English texts of the exports. */
export const exportTexts = {
  title: "Export",
  link: "Export the organisation",
  back: "Overview",
  text:
    "An export has everything in the organisation that you may read, and no secrets. It has personal data: protect the file " +
    "like a backup.",
  stay: "Stay on this page until the file is saved. For a large organisation use the command line, which continues after a break:",
  commands: {
    label: "command",
    export: "npx botstead export leaving",
    verify: (name: string) =>
      `tar -xf ${name}.tar\nnpx botstead audit verify --export ${name} --key "$(cat audit-key.txt)"`,
  },
  ownersOnly: "Only an owner can export the organisation, in a session of their own.",
  begin: "Export the organisation",
  part: (part: string) => `Part ${part} …`,
  waiting: "All parts are here. Waiting until the audit log signs the manifest, for about a minute …",
  saved: (parts: string) => `Saved. Parts: ${parts}. Unpack the file, and verify the folder:`,
  stopped: (parts: string) => `Stopped. Parts read: ${parts}.`,
  stop: "Stop",
  continue: "Continue",
  save: "Save again",
  saveUnsigned: "Save without the proof",
  damaged: "A part did not arrive whole. Try again.",
  unsigned: "The audit log has not signed the manifest yet. Try again later, or save the file without the proof.",
  list: {
    title: "Exports",
    caption: "Exports, newest first",
    empty: "No exports yet. An owner exports the organisation to keep a copy or to leave.",
    columns: { createdAt: "Begun", person: "By", state: "State", parts: "Parts", finishedAt: "Finished", id: "Id" },
  },
};
