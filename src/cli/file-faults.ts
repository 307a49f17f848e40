/** Describes file system errors for people: the path, the reason, and what to do. */
import { userInfo } from "node:os";

const reasons: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "a file of that name exists",
  EISDIR: "it is a folder, not a file",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "its symbolic links form a loop",
};

/** Describes an error of the file system; undefined for any other error. */
export function fileFault(error: unknown): string | undefined {
  const { code = "", path } = error as NodeJS.ErrnoException;
  const reason = reasons[code];
  if (path === undefined || reason === undefined) return undefined;
  const who = reason === reasons.EACCES ? ` for user ${nameOfUser()}` : "";
  return `${path} can't be used: ${reason}${who}. Correct that, or choose another folder with DATA_DIR.`;
}

function nameOfUser(): string {
  try {
    return `"${userInfo().username}"`;
  } catch {
    return String(process.getuid?.()); // in a container the user id may have no account
  }
}
