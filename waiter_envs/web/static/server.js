// What the page asks the server. All paths are relative to the seat's secret address.

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { cache: "no-store", ...options });
  } catch {
    throw new Refused(0, "The server does not answer. Has it been stopped?");
  }
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    throw new Refused(answer.status, content.error ?? "The server has refused this.");
  }
  return content;
}

export function get(path) {
  return ask(path);
}

export function post(path, content) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(content) });
}

// Calls `news(version)` when something has changed, `lost()` when the server is gone.
export function listen(news, lost) {
  const source = new EventSource("events");
  source.onmessage = (event) => news(JSON.parse(event.data).version);
  source.onerror = lost;
}
