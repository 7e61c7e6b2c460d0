// Lets the browser keep the client's files, once the first page is there. Not in development: what Vite
// serves changes all the time.
export function keepShell() {
  if (!import.meta.env.PROD || !navigator.serviceWorker) return
  addEventListener('load', () => {
    // It may be forbidden (private window): then the client opens only with the server.
    navigator.serviceWorker
      .register('/staff/sw.js', { updateViaCache: 'none' })
      .catch(() => undefined)
  })
}
