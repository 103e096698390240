// Browsers start no worker from the disk (file:), and the site's search is one. There it runs in a hidden frame instead.
// The name is the one by which the theme's offline plugin finds that it need not load such a script from elsewhere.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.ready = new Promise((resolve) => {
        const frame = document.createElement("iframe")
        frame.hidden = true
        frame.addEventListener("load", () => {
          const inside = frame.contentWindow
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
          const script = inside.document.createElement("script")
          script.src = url
          script.addEventListener("load", () => resolve(inside))
          inside.document.head.append(script)
        }, { once: true })
        document.body.append(frame)
      })
    }

    async postMessage(data) {
      const inside = await this.ready
      inside.dispatchEvent(new MessageEvent("message", { data }))
    }
  }
}
