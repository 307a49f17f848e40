/** A mail server that answers a byte at a time, without end: no time-out for silence ever ends it. */
import { type AddressInfo, createServer, type Socket } from "node:net";

export type DrippingStage = "greeting" | "ehlo" | "message";

export type DrippingSmtp = {
  url: string;
  /** Connections so far. */
  connections(): number;
  /** Connections that are open. */
  open(): number;
  close(): Promise<void>;
};

/** @param stage what it drips in answer to; before that it answers at once */
export async function startDrippingSmtp(step: DrippingStage): Promise<DrippingSmtp> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    const drip = () => {
      const line = "250-wait\r\n";
      let at = 0;
      const timer = setInterval(() => {
        socket.write(line[at % line.length] as string);
        at += 1;
      }, 100);
      socket.once("close", () => clearInterval(timer));
    };
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    let inMessage = false;
    if (step === "greeting") drip();
    else socket.write("220 dripping\r\n");
    socket.on("data", (chunk) => {
      const said = chunk.toString();
      if (inMessage) {
        if (said.endsWith("\r\n.\r\n")) drip();
      } else if (said.startsWith("EHLO")) {
        if (step === "ehlo") drip();
        else socket.write("250 dripping\r\n");
      } else {
        inMessage = said.includes("DATA");
        socket.write(inMessage ? "354 go on\r\n" : "250 yes\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
