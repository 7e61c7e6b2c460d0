// Applies the stored look before the first paint. A file of its own: the policy allows no inline scripts.
;(() => {
  try {
    const { value } = JSON.parse(localStorage.getItem('octavo.look') || '{}')
    const root = document.documentElement
    if (!value) return
    if (value.theme !== 'system') root.dataset.theme = value.theme
    if (value.contrast === 'more') root.dataset.contrast = 'more'
    if (value.density === 'compact') root.dataset.density = 'compact'
    if (value.language) {
      root.lang = value.language
      root.dir = value.language === 'ar' ? 'rtl' : 'ltr'
    }
  } catch {
    // Storage is forbidden or its content unreadable: the system's look stays.
  }
})()
