/** orval. FOLDER receives the client, which calls API_URL. */
export default {
  botstead: {
    input: new URL("../../docs/openapi.json", import.meta.url).pathname,
    output: { target: `${process.env.FOLDER}/orval.ts`, client: "fetch", baseUrl: process.env.API_URL },
  },
};
