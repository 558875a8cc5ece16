//! title = "Größe in quotes is fine, and \\ as well"  # Größe
//! größe = 1
// expect: :2: 
// expect: outside quotes only ASCII characters may stand
