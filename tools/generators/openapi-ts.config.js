/** @hey-api/openapi-ts. FOLDER receives the client. */
export default {
  input: new URL("../../docs/openapi.json", import.meta.url).pathname,
  output: { path: `${process.env.FOLDER}/hey-api`, module: { extension: ".ts" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
};
