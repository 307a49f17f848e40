/** Metrics of the disk that holds the embedded database. Another database's disk is visible to its own machine only. */
import { statfs } from "node:fs/promises";
import { type Registry, watch } from "./registry.ts";

export function watchDataDirectory(registry: Registry, folder: string): void {
  const gauge = (name: string, help: string, blocks: "bavail" | "blocks") =>
    watch(registry, name, help, [], async () => {
      const disk = await statfs(folder);
      return [[{}, disk[blocks] * disk.bsize]];
    });
  gauge("botstead_data_directory_free_bytes", "Free space of the disk with the embedded database.", "bavail");
  gauge("botstead_data_directory_size_bytes", "Size of the disk with the embedded database.", "blocks");
}
