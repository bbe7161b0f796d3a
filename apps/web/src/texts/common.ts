export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each text in Spanish and English; `{name}` is where a value goes, `{count|offer|offers}` a value with its word. */
export type Texts = Readonly<Record<string, readonly [es: string, en: string]>>;

export const COMMON = {
  tagline: ['Qué oferta conviene, qué cuesta y qué paga', 'Which offer fits, what it costs and what it pays'],
  language: ['English', 'Español'],
  keysTitle: ['Teclas', 'Keys'],
  keySearch: ['Buscar en esta pantalla', 'Search on this screen'],
  keyHelp: ['Esta ayuda', 'This help'],
  keysNote: ['Valen mientras no se escribe en un campo.', 'They work while nothing is typed into a field.'],
  signIn: ['Entrar', 'Sign in'],
  signOut: ['Salir', 'Sign out'],
  accountName: ['Cuenta (opcional)', 'Account (optional)'],
  apiKey: ['Clave de acceso', 'Access key'],
  keyNote: [
    'La clave solo está en la memoria de esta pestaña, o en el gestor de contraseñas del navegador si usted lo pide. Lo escrito sigue aquí al recargar o salir, hasta que se cierra la pestaña; los suministros comparados, sin nombres, los días que digan los ajustes.',
    'The key is in the memory of this tab only, or in the password manager of the browser if you say so. What you typed stays after reloading or signing out, until the tab is closed; the supplies that were compared, without names, for as long as the settings say.',
  ],
  roomStudy: ['Estudio', 'Study'],
  roomOffers: ['Ofertas', 'Offers'],
  roomProposals: ['Propuestas', 'Proposals'],
  roomPortfolio: ['Cartera', 'Portfolio'],
  roomSettings: ['Ajustes', 'Settings'],
  about: ['Sobre esta comparación', 'About this comparison'],
  aboutCounts: [
    '{offers|oferta|ofertas} de {retailers|comercializadora|comercializadoras}.',
    '{offers|offer|offers} of {retailers|retailer|retailers}.',
  ],
  aboutNewest: [
    'Último cambio de una oferta o de sus precios: {time}.',
    'Last change of an offer or its prices: {time}.',
  ],
  aboutOwner: ['Responsable: {owner}.', 'Operated by {owner}.'],
  aboutFinancing: ['Financiación: {financing}.', 'Paid by: {financing}.'],
  aboutContact: ['Para avisar de un error: {contact}', 'To report an error: {contact}'],
  sections: ['Secciones', 'Sections'],
  working: ['Un momento…', 'One moment…'],
  printNote: [
    'Esta pantalla es para el asesor y no se imprime. Cree una propuesta e imprímala.',
    'This screen is for the advisor and is not printed. Create a proposal and print it.',
  ],
  retry: ['Reintentar', 'Try again'],
  wrongKey: [
    'La clave no es válida: está mal escrita, ha caducado o ha sido revocada. Cópiela entera o pida otra a quien administra la cuenta.',
    'The key is not valid: it is mistyped, has expired or was revoked. Copy all of it, or ask whoever runs the account for another.',
  ],
  keyEnded: [
    'La clave ya no es válida. Lo escrito sigue aquí: entre con otra clave para continuar.',
    'The key is no longer valid. What you typed is still here: sign in with another key to go on.',
  ],
  keyWasEnded: [
    'La clave anterior dejó de valer antes de terminar. Reintente con la nueva.',
    'The former key stopped being valid before this was done. Try again with the new one.',
  ],
  otherKeyQuestion: [
    'La dirección abierta trae una clave de la cuenta «{accountName}» ({email}), y esta pestaña es de la cuenta «{displaced}». ¿Entrar con la clave de «{accountName}»? Lo que escriba, y lo ya escrito, se enviará a esa cuenta.',
    'The opened address has a key of the account «{accountName}» ({email}), and this tab is of the account «{displaced}». Sign in with the key of «{accountName}»? What you type and have typed will be sent to that account.',
  ],
  noScope: [
    'Esta clave no permite {what} ({scope}). Pida una que lo permita.',
    'This key does not allow to {what} ({scope}). Ask for one that does.',
  ],
  'offers:read': ['comparar ofertas', 'compare offers'],
  'offers:write': ['cambiar ofertas', 'change offers'],
  'catalog:write': ['cambiar el catálogo', 'change the catalog'],
  'proposals:write': ['crear propuestas', 'create proposals'],
  otherScope: ['hacerlo', 'do this'],
  noServer: [
    'No se llega al servidor. Compruebe la conexión y reintente: lo escrito no se pierde.',
    'The server cannot be reached. Check the connection and try again: nothing that you typed is lost.',
  ],
  tooMany: [
    'Demasiadas peticiones. Se puede reintentar dentro de {wait}.',
    'Too many requests. You can try again in {wait}.',
  ],
  busy: [
    'El servicio está ocupado. Se puede reintentar dentro de {wait}.',
    'The service is busy. You can try again in {wait}.',
  ],
  tooManyOver: ['Ya se puede reintentar.', 'You can try again now.'],
  tooLarge: ['El archivo es demasiado grande.', 'The file is too large.'],
  serverFault: [
    'El servidor ha fallado y lo ha anotado. Reintente; si se repite, avise a quien lo administra.',
    'The server failed and has noted it. Try again; if it happens again, tell whoever runs it.',
  ],
  checkFields: ['Revise los campos marcados.', 'Check the marked fields.'],
  checkThese: ['Revise estos datos:', 'Check these data:'],
  isUnknown: ['No existe, o su clave de acceso no lo alcanza.', 'It does not exist, or your key does not reach it.'],
  file: ['Archivo', 'File'],
  refused: ['El servidor no lo acepta: {message}', 'The server does not accept it: {message}'],
} as const satisfies Texts;
