// Keeps the client's own files, so that it opens without the server. The build puts SHELL before this: the
// version and the files. Answers of the API are never kept here.
const KEPT = `octavo-shell-${SHELL.version}`
const FACTS = 'octavo-facts'
const ROOT = '/staff/'
const INDEX = `${ROOT}index.html`
const INSTALLATION = `${ROOT}installation.json`
/** How long a page waits for a server that does not answer before the kept one is shown. */
const PATIENCE_MS = 3000
/** Open pages of the version before still load their parts. */
const VERSIONS_KEPT = 2

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(KEPT)
      // Names under assets/ have a hash of their content; others may be in the browser's cache with an older one.
      const requests = SHELL.files.map(
        (file) =>
          new Request(ROOT + file, { cache: file.startsWith('assets/') ? 'default' : 'reload' }),
      )
      await cache.addAll(requests)
      // The page that installs this has asked for it already, past this worker.
      await keep(await fetch(INSTALLATION))
      await self.skipWaiting()
    })(),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const shells = (await caches.keys()).filter((name) => name.startsWith('octavo-shell-'))
      const old = shells.filter((name) => name !== KEPT).slice(0, -(VERSIONS_KEPT - 1))
      await Promise.all(old.map((name) => caches.delete(name)))
      await self.clients.claim()
    })(),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin || !pathname.startsWith(ROOT)) return
  if (request.mode === 'navigate') event.respondWith(fresh(request, () => kept(INDEX)))
  else if (pathname === INSTALLATION) event.respondWith(fresh(request, lastInstallation, keep))
  else if (pathname !== `${ROOT}sw.js`) event.respondWith(kept(request, () => fetch(request)))
})

async function kept(request, otherwise) {
  const own = await (await caches.open(KEPT)).match(request)
  return own ?? (await caches.match(request)) ?? otherwise?.()
}

/** The server's answer; what is kept when there is none in time. */
async function fresh(request, old, use) {
  const asked = fetch(request).then((answer) => {
    if (answer.status >= 500) throw new Error(`${answer.status}`)
    use?.(answer.clone())
    return answer
  })
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  const first = await Promise.race([asked.catch(() => undefined), patience])
  return first ?? (await old()) ?? asked
}

const lastInstallation = () => caches.match(INSTALLATION)

async function keep(answer) {
  if (answer.ok) await (await caches.open(FACTS)).put(INSTALLATION, answer)
}
