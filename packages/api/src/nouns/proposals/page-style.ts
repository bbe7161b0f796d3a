/** Sizes are of one scale: 8 for the foot, 12, 14, 20 and 28 pixels. */
export const STYLE =
  '@page{size:A4;margin:11mm 14mm 8mm;@bottom-right{content:"página " counter(page) " de " counter(pages);font:8px/4mm Arial,Helvetica,sans-serif;color:#595959;vertical-align:top;margin-top:-4mm;white-space:nowrap}}' +
  '*{box-sizing:border-box}body{font:12px/1.3 Arial,Helvetica,sans-serif;color:#1a1a1a;background:#fff;max-width:182mm;margin:0 auto;overflow-wrap:anywhere;font-variant-numeric:tabular-nums;print-color-adjust:exact;-webkit-print-color-adjust:exact}' +
  'header{display:flex;justify-content:space-between;gap:8mm;border-bottom:2px solid #0b3d91;padding-bottom:3mm}header div+div{text-align:right;flex:none}p{margin:0}' +
  'img{display:block;max-width:80mm;max-height:18mm;margin-bottom:1mm}strong.name{font-size:14px}small{display:block;font-size:12px;font-weight:400;color:#595959}' +
  'h1{font-size:28px;line-height:1.15;margin:4mm 0 2mm;font-weight:600;letter-spacing:-.01em}h1 b{color:#0b3d91}h2{font-size:14px;line-height:1.3;margin:3mm 0 1mm}' +
  '#destinatario:empty{display:none}#destinatario,.lead{font-size:14px;margin-top:3mm}.note{white-space:pre-wrap;margin:2mm 0}' +
  'table{border-collapse:collapse;width:100%}.figures,.terms{table-layout:fixed}.figures thead th:first-child,.terms thead th:first-child{width:41mm}.figures th,.terms th{overflow-wrap:break-word}.terms td.n{white-space:normal}.terms,.k{break-inside:avoid}.k{white-space:nowrap}caption{text-align:left;color:#595959;padding:1mm 0}th,td{padding:.35mm 1.5mm;text-align:left;vertical-align:top;font-weight:400;border-bottom:1px solid #e0e0e0}' +
  'th:first-child{padding-left:0;overflow-wrap:normal}.n{text-align:right}td.n{white-space:nowrap}thead th{overflow-wrap:break-word;vertical-align:bottom;border-bottom:1px solid #767676;font-weight:600}' +
  '.group th{font-weight:600;padding-top:1.2mm;border-bottom-color:#767676}.total th,.total td{font-weight:700;font-size:14px;border-top:1px solid #1a1a1a}.best{background:#e8effb}' +
  'em{display:block;font-style:normal;font-size:12px;color:#0b3d91}tr,.box{break-inside:avoid}h2{break-after:avoid}ul{margin:0;padding-left:5mm}.small{color:#404040;text-align:justify;break-inside:avoid}' +
  '.totals{break-inside:avoid}.box{border:1px solid #767676;padding:2mm 3mm;margin-top:3mm}.box h2{margin-top:0}.sign{display:grid;grid-template-columns:2fr 1fr 2fr;gap:6mm;margin-top:10mm}.sign span{border-top:1px solid #767676;padding-top:1mm}.picks{display:flex;flex-wrap:wrap;gap:1mm 6mm}.picks span::before{content:"☐ "}' +
  'svg{max-width:100%;height:auto}footer{font-size:8px;line-height:4mm;color:#595959;margin-top:4mm}' +
  '@media print{main{padding-bottom:6mm;box-decoration-break:clone;-webkit-box-decoration-break:clone}footer{white-space:nowrap;position:fixed;bottom:0;left:0;height:4mm;margin:0}}' +
  // On a telephone columns are as wide as their words, and the frame scrolls.
  '@media screen{body{padding:4mm}}@media screen and (max-width:40rem){.figures,.terms{table-layout:auto}.figures thead th:first-child,.terms thead th:first-child{width:28mm}th,td{overflow-wrap:normal}.figures th,.terms th{overflow-wrap:normal}}';
