/** The baseline: the cost of Node, Express and one database round trip alone. */
import { createServer } from "node:http";
import express from "express";
import { Client, Pool } from "pg";
import { listen } from "./listen.ts";
import { system } from "./system.ts";

system(async ({ adminUrl, poolSize }) => {
  const pool = new Pool({ connectionString: adminUrl, max: poolSize });
  const client = new Client({ connectionString: adminUrl, pipeline: true });
  await client.connect();
  const one = { name: "one", text: "select 1 as one" };

  const app = express().disable("x-powered-by").disable("etag");
  app.get("/express", (_request, response) => void response.json({ hello: "world" }));
  app.get("/pool", async (_request, response) => void response.json((await pool.query(one)).rows[0]));
  app.get("/client", async (_request, response) => void response.json((await client.query(one)).rows[0]));

  return listen(
    createServer((request, response) => {
      if (request.url !== "/node") app(request, response);
      else response.writeHead(200, { "content-type": "application/json" }).end('{"hello":"world"}');
    }),
  );
});
