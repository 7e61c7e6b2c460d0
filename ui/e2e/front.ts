// Serves a built client with the headers of server/staff/src/page.rs, and everything else from the server
// behind it. While that one is down, connections are cut: there is nobody.
import { existsSync, readFileSync } from 'node:fs'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, resolve } from 'node:path'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; " +
  "img-src 'self' data: https:; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'"

export interface Front {
  isUp: boolean
  close(): void
}

export async function startFront(origin: string, behind: string, folder: string): Promise<Front> {
  const front: Front = { isUp: true, close: () => server.close() }
  const server = createServer((incoming, outgoing) => {
    if (!front.isUp) return void incoming.socket.destroy()
    const { pathname } = new URL(incoming.url ?? '/', origin)
    const isOwn = pathname.startsWith('/staff/') && pathname !== '/staff/installation.json'
    if (isOwn) file(resolve(folder), pathname.slice('/staff/'.length), outgoing)
    else pass(behind, incoming, outgoing)
  })
  // A worker keeps its connections from test to test: one that is closed just then would fail a request.
  server.keepAliveTimeout = 600_000
  const { hostname, port } = new URL(origin)
  await new Promise<void>((ready) => server.listen(Number(port), hostname, ready))
  return front
}

function file(folder: string, path: string, outgoing: ServerResponse) {
  const found = join(folder, path)
  const exists = path !== '' && found.startsWith(folder) && existsSync(found)
  if (!exists && path.startsWith('assets/')) return void outgoing.writeHead(404).end()
  const name = exists ? path : 'index.html'
  const isPage = name === 'index.html'
  outgoing.writeHead(200, {
    'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream',
    'Cache-Control': name.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-cache',
    ...(isPage ? { 'Content-Security-Policy': POLICY } : {}),
  })
  outgoing.end(readFileSync(join(folder, name)))
}

function pass(behind: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, headers, url } = incoming
  const passed = ask(`${behind}${url}`, { method, headers }, (answer) => {
    if (url === '/staff/installation.json' && answer.statusCode === 404) {
      // A program from before the client: it has nothing beyond FOLIO's routes.
      answer.resume()
      outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
      return
    }
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(outgoing)
    answer.on('error', () => outgoing.destroy())
  })
  passed.on('error', () => incoming.socket.destroy())
  incoming.pipe(passed)
}
