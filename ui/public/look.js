// Before all else: the stored look, so that the first paint has it; and what every page asks first is asked while
// the client is still being read (src/api/early.ts takes the answers). A file of its own: the policy allows no
// inline scripts.
;(() => {
  const root = document.documentElement
  const stored = (name) => {
    try {
      return localStorage.getItem(`octavo.${name}`)
    } catch {
      // Forbidden.
      return null
    }
  }
  let look
  try {
    look = JSON.parse(stored('look') || '{}').value
  } catch {
    // Unreadable: the system's look stays.
  }
  if (look) {
    if (look.theme !== 'system') root.dataset.theme = look.theme
    if (look.contrast === 'more') root.dataset.contrast = 'more'
    if (look.density === 'compact') root.dataset.density = 'compact'
    if (look.language) {
      root.lang = look.language
      root.dir = look.language === 'ar' ? 'rtl' : 'ltr'
    }
  }

  // The build writes which file has the words of which language.
  const texts = JSON.parse(root.dataset.texts || '{}')
  const asked = [look?.language, ...(navigator.languages || []), 'en']
  const language = asked.map((tag) => tag?.toLowerCase().split('-')[0]).find((one) => texts[one])
  const load = (file) => {
    const link = document.createElement('link')
    if (file.endsWith('.css')) {
      link.rel = 'preload'
      link.as = 'style'
    } else link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = `/staff/${file}`
    document.head.append(link)
  }
  if (language) load(texts[language])

  const page = location.pathname.replace('/staff/', '')
  if (stored('loggedIn') !== '1' || /^(login|reset-password)/.test(page)) return
  const TIMEOUT_MS = 30_000
  const tenant = stored('tenant')
  const headers = {
    Accept: 'application/json, text/plain',
    'X-Requested-With': 'octavo',
    ...(tenant ? { 'X-Okapi-Tenant': tenant } : {}),
  }
  const early = {}
  window.octavoEarly = early
  const ask = (path) => {
    early[path] = fetch(path, {
      credentials: 'same-origin',
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    // Who takes it hears of its failure.
    early[path].catch(() => undefined)
    return early[path]
  }
  ask('/locale')
  ask('/bl-users/_self?include=servicepoints')
  // Most often it is who was here last. Where it is not, nobody takes this answer.
  const person = stored('person')
  if (person) ask(`/perms/users/${person}/permissions?indexField=userId&expanded=true`)
  ask('/staff/installation.json')
  if (/^check-(in|out)/.test(page))
    ask('/staff-slips-storage/staff-slips?query=cql.allRecords%3D1&limit=100')
  // The client would ask for them only once it knows who is here.
  const files = JSON.parse(root.dataset.pages || '{}')[page.replace(/\/$/, '')] || {}
  for (const file of [...(files.all || []), ...(files[language] || [])]) load(file)
  // Its rows are most of the page: the first ones, and the words for what they name.
  if (page === 'inventory' && !location.search) {
    ask('/search/instances?query=cql.allRecords%3D1%20sortby%20title&offset=0&limit=50')
    for (const list of ['locations', 'instance-types', 'modes-of-issuance'])
      ask(`/${list}?query=cql.allRecords%3D1%20sortby%20name&limit=1000&offset=0`)
  }
  // Formats of dates and numbers are slow to begin with: they begin while the client is still on its way.
  Intl.DateTimeFormat.supportedLocalesOf(language || 'en')
  new Intl.NumberFormat(language)
})()
