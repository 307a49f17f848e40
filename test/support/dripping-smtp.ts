/** A mail server that responds one byte at a time, without end. No idle time-out ends it. */
import { type AddressInfo, createServer, type Socket } from "node:net";

export type DrippingStage = "greeting" | "ehlo" | "message";

export type DrippingSmtp = {
  url: string;
  /** Number of connections so far. */
  connections(): number;
  /** Number of open connections. */
  open(): number;
  close(): Promise<void>;
};

/** @param after the command whose response drips; earlier responses are immediate */
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
