extension HTMLPage {
    static let style: HTML = """
        :root{
          color-scheme:light dark;--text:#1b1f24;--back:#fff;--soft:#57606a;--line:#d0d7de;--bad:#b3261e;
          --good:#1a7f37;--p0:#0a5fb4;--p1:#8a4600;--p2:#1a6b37;--p3:#7a3ea8;--p4:#a3195b;--p5:#4d5560;--l0:var(--p0);
          --l1:var(--p1);--l2:var(--p2);--l3:var(--p3);--l4:var(--p4);--l5:var(--p5)}
        @media(prefers-color-scheme:dark){
          :root{
            --text:#e6edf3;--back:#0d1117;--soft:#9aa4af;--line:#30363d;--bad:#ff8a80;--good:#56d364;--l0:#6cb6ff;
            --l1:#e8a15c;--l2:#6bc46d;--l3:#c297ff;--l4:#ff8fc0;--l5:#b3bcc7}
        }
        *{box-sizing:border-box}
        body{
          margin:0 auto;max-width:70rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--text);
          background:var(--back)}
        h1{font-size:1.6rem;margin:.5rem 0}
        h2{font-size:1.25rem;margin:2rem 0 .5rem;overflow-wrap:anywhere}
        h3{font-size:1rem;margin:1rem 0 .25rem}
        nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}
        a{color:inherit}
        a:focus-visible,button:focus-visible,.scroll:focus-visible{outline:2px solid var(--p0);outline-offset:2px}
        .scroll{overflow-x:auto;margin:.5rem 0}
        table{border-collapse:collapse;min-width:100%}
        caption{text-align:left;color:var(--soft);padding:.25rem 0}
        th,td{
          text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;
          overflow-wrap:break-word}
        td.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        th.number{text-align:right}th.number button{text-align:right}
        .provenance{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;margin:.5rem 0;color:var(--soft);font-size:.9rem}
        .provenance div{display:flex;gap:.4rem}.provenance dd{margin:0;overflow-wrap:anywhere}
        .flow{display:block;width:100%;height:4rem;margin:-.5rem 0}.flow path{opacity:.45}
        .f0{fill:var(--p0)}
        .f1{fill:var(--p1)}
        .f2{fill:var(--p2)}
        .f3{fill:var(--p3)}
        .f4{fill:var(--p4)}
        .f5{fill:var(--p5)}
        .days{margin:.5rem 0 1rem}.days figcaption{color:var(--soft);margin:.6rem 0 .2rem}
        .plot{display:block;width:calc(100% - 3.6rem);margin-left:3.6rem;overflow:visible}
        .plot text{font-size:.75rem;fill:var(--soft)}
        .plot polyline{fill:none;stroke-width:2;vector-effect:non-scaling-stroke}
        .plot .level,.plot line.mark{stroke:var(--line)}
        .plot line.mark{stroke:var(--soft);stroke-dasharray:2 3}
        .plot .bound,.plot line.bad{stroke:var(--bad)}.plot text.bad{fill:var(--bad)}
        .plot .zone{fill:var(--bad);opacity:.12}
        .heatmap{margin:.5rem 0}.heatmap figcaption{color:var(--soft);margin:.4rem 0}
        .heatmap svg{display:block;width:100%;max-width:calc(var(--cells)*3rem)}
        .heatmap rect{fill:color-mix(in srgb,var(--l0) var(--heat),var(--back));stroke:var(--line);stroke-width:.2}
        .heatmap text{font-size:3.2px;fill:var(--soft);text-anchor:middle}.heatmap text.count{fill:var(--text)}
        .keys{display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;list-style:none;padding:0;margin:.2rem 0}
        .key{display:inline-block;width:.8rem;height:.8rem;border-radius:.2rem;margin-right:.4rem}
        .l0{stroke:var(--l0);fill:var(--l0)}
        .l1{stroke:var(--l1);fill:var(--l1)}
        .l2{stroke:var(--l2);fill:var(--l2)}
        .l3{stroke:var(--l3);fill:var(--l3)}
        .l4{stroke:var(--l4);fill:var(--l4)}
        .l5{stroke:var(--l5);fill:var(--l5)}
        .key.p0{background:var(--l0)}.key.p1{background:var(--l1)}.key.p2{background:var(--l2)}
        .key.p3{background:var(--l3)}.key.p4{background:var(--l4)}.key.p5{background:var(--l5)}
        td.heat{background:color-mix(in srgb,var(--p0) var(--heat),var(--back))}
        th button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:left}
        th[aria-sort=ascending] button::after{content:" ▲"}
        th[aria-sort=descending] button::after{content:" ▼"}
        .bad{color:var(--bad);font-weight:600}
        .good{color:var(--good)}
        .soft{color:var(--soft)}
        .bar{display:flex;height:1.8rem;border:1px solid var(--line);border-radius:.3rem;overflow:hidden;margin:.5rem 0}
        .part{color:#fff;overflow:hidden;white-space:nowrap;font-size:.85rem;line-height:1.7rem}
        .part span{padding:0 .4rem}
        .p0{background:var(--p0)}
        .p1{background:var(--p1)}
        .p2{background:var(--p2)}
        .p3{background:var(--p3)}
        .p4{background:var(--p4)}
        .p5{background:#4d5560}
        ul.tree{list-style:none;border-left:2px solid var(--line);padding-left:.8rem;margin:.25rem 0}
        ul.tree ul{list-style:none;border-left:2px solid var(--line);padding-left:.8rem}
        a,code,span{unicode-bidi:isolate}
        code,p,li,summary,caption,figcaption,h3{overflow-wrap:anywhere}
        article{margin:0 0 1.5rem}
        .witness{margin:.5rem 0}
        .witness pre{
          margin:0;padding:.5rem .8rem;border:1px solid var(--line);border-radius:.3rem;white-space:pre-wrap;
          overflow-wrap:anywhere}
        .witness figcaption{color:var(--soft)}
        .grid th[scope=row]{position:sticky;left:0;background:var(--back)}
        @media(max-width:40rem){
          .stack table,.stack thead,.stack tbody,.stack caption{display:block}
          .stack thead:not(:has(button)){display:none}
          .stack tr{display:flex;flex-direction:column;padding:.4rem 0;border-bottom:1px solid var(--line)}
          .stack thead tr{flex-flow:row wrap;gap:0 .8rem;font-size:.85rem;color:var(--soft)}
          .stack thead tr::before{content:"Sort by"}
          .stack thead th{font-weight:400;text-decoration:underline}
          .stack th,.stack td{
            display:flex;justify-content:space-between;gap:1rem;padding:.1rem 0;border:0;text-align:right}
          .stack td{overflow-wrap:anywhere}
          .stack td::before{content:attr(data-label);color:var(--soft);font-weight:400;text-align:left}
          .stack th[scope=row]{text-align:left;overflow-wrap:anywhere}
          th,td{padding:.3rem .4rem}
          th[scope=row],td:not(.number){overflow-wrap:anywhere}
          .grid th{overflow-wrap:normal}
        }
        @media print{
          nav{display:none}
        }
        """

    /// Makes tables sortable by their column heads. Without scripts, tables keep their order.
    static let script: HTML = """
        for (const table of document.querySelectorAll("table")) {
          const body = table.tBodies[0];
          table.querySelectorAll("thead th").forEach((head, column) => {
            const button = document.createElement("button");
            button.type = "button";
            button.append(...head.childNodes);
            head.append(button);
            button.addEventListener("click", () => {
              const isUp = head.getAttribute("aria-sort") !== "ascending";
              table.querySelectorAll("thead th").forEach(other => other.removeAttribute("aria-sort"));
              head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
              const value = row => row.cells[column].dataset.value ?? row.cells[column].textContent;
              const rows = [...body.rows].sort((a, b) => {
                const [x, y] = [value(a), value(b)];
                const order = x !== "" && y !== "" && !isNaN(x) && !isNaN(y) ? x - y : x.localeCompare(y);
                return isUp ? order : -order;
              });
              body.append(...rows);
            });
          });
        }
        """
}
